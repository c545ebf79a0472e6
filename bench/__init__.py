"""PolyBridgeBench: can a multimodal model design a bridge that works?"""

VERSION = "pbb-1.0"

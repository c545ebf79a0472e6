"""PolyBridgeBench: whether a multimodal model can construct what works."""

VERSION = "pbb-1.0"

"""PolyBridgeBench: whether a multimodal model can design a bridge that works."""

VERSION = "pbb-1.0"

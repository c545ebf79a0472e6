"""The save codec under the name that others rely on; it lives in `bench.bridge.design.save`."""

from bench.bridge.design.save import decode_payload, encode_payload

__all__ = ["decode_payload", "encode_payload"]

"""One table a file, each a pure function of sessions; `registry.py` lists them."""

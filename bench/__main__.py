"""`python -m bench`: tools for people. The benchmark itself is `pytest bench`."""

import sys

from bench.cli import main

sys.exit(main(sys.argv[1:]))

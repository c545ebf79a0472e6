"""`python -m reports`: tables from sessions."""

import sys

from reports.cli import main

sys.exit(main(sys.argv[1:]))

"""`python -m forkpoint`: the command line."""

from forkpoint.cli import main

raise SystemExit(main())

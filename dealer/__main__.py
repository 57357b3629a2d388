"""The `dealer` command: composition root. Holds no domain logic; nobody imports it."""

from __future__ import annotations

import sys

from dealer.cli.app import run


def main() -> None:
    """Run the command line of this process and exit with its status."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()

"""Plays the conformance cases of `Protocol/` against any command that speaks the protocol.

    python3 Protocol/conformance .build/debug/daybook

It needs only Python's standard library; `Protocol/README.md` is the specification, and `--help` lists the options.
"""

import sys

if sys.version_info < (3, 9):
    sys.exit("conformance: this needs Python 3.9 or later")

from command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())

"""`python -m ompc` is the command `ompc`."""

from __future__ import annotations

from ompc.cli import entry

entry()

"""`python -m ompc` is the command `ompc`."""

from __future__ import annotations

from ompc import cc


def entry() -> None:
    """The `ompc` command. `ompc cc` comes first: it is started once for each file of a project."""
    cc.run_subcommand()
    from ompc import cli

    cli.entry()


if __name__ == "__main__":
    entry()

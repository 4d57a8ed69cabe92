"""`python -m ompc` is the command `ompc`.

Nothing is imported before signals have a meaning: an interrupt within the first imports would print a traceback.
"""

from __future__ import annotations

import os
import signal


def entry() -> None:
    """The `ompc` command. `ompc cc` comes first: it is started once for each file of a project."""
    _begin()
    from ompc import cc

    cc.run_subcommand()
    from ompc import cli

    cli.entry()


def entry_cc() -> None:
    """The command `ompc-cc`."""
    _begin()
    from ompc import cc

    cc.entry()


def entry_cxx() -> None:
    """The command `ompc-c++`."""
    _begin()
    from ompc import cc

    cc.entry_cxx()


def _begin() -> None:
    """There is nothing to tidy up yet."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    from ompc.bytecode import keep_bytecode

    keep_bytecode(__file__, os.environ)  # all that is imported from here on
    from ompc.base.ending import watch_signals

    watch_signals()


def _leave(number: int, _frame: object) -> None:
    os._exit(128 + number)


if __name__ == "__main__":
    entry()

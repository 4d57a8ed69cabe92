"""`python -m ompc` is the command `ompc`.

Nothing is imported before signals have a meaning: an interrupt within the first imports would print a traceback.
"""

from __future__ import annotations

import gc
import os
import signal
import sys


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
    gc.disable()  # a run is short and its trees live to its end: searching them for garbage costs a tenth of the time
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    _open_streams()
    from ompc.bytecode import keep_bytecode

    keep_bytecode(__file__, os.environ)  # all that is imported from here on
    from ompc.base.ending import watch_signals

    watch_signals()


def _open_streams() -> None:
    """Closed streams lead nowhere, lest the next file that is opened has their number and gets what is printed."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if not _is_open(number):
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the least number that is free: this one
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _leave(number: int, _frame: object) -> None:
    os._exit(128 + number)


if __name__ == "__main__":
    entry()

"""Processes that look at files: one for each job, forked from one that has all of ompc in memory.

A job can be ended at any time, with the compilers that it started and its temporary files, and what goes wrong in it
(a crash, too much memory, an endless question) leaves the server alone.

    In: a Job.   Out: what `analysis.work_on` returns, or a Failure.   Not here: which job is worth it -- server.py.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext

from ompc.base.diagnostics import CompileError
from ompc.base.ending import watch_signals
from ompc.lsp.answers import Answer, Failure, Job, Result

SECONDS = 120.0
"""The longest that one job may take."""
NICENESS = 5
"""Whoever types has the processor first."""


class Workers:
    """At most `most` jobs are worked on at a time; others wait for their turn."""

    def __init__(self, most: int | None = None) -> None:
        most = most or max(1, (os.cpu_count() or 2) // 2)
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["ompc.lsp.analysis"])
        self._turns = asyncio.Semaphore(most)
        self._threads = ThreadPoolExecutor(2 * most + 2, "ompc-lsp")  # one that was given up may still be ending
        self._runs: set[_Run] = set()
        self._threads.submit(self._warm_up)

    def _warm_up(self) -> None:
        """What all processes are forked from reads ompc while the editor introduces itself."""
        with _STARTING:
            self._context.Process(target=int).start()

    async def result_of(self, job: Job) -> Result:
        """To cancel it ends the process."""
        async with self._turns:
            run = _Run(self._context, job)
            self._runs.add(run)
            try:
                answer = asyncio.get_running_loop().run_in_executor(self._threads, run.result)
                return await asyncio.wait_for(answer, SECONDS)
            except asyncio.TimeoutError:
                return Failure(f"it has not ended within {SECONDS:.0f} seconds")
            finally:
                self._runs.discard(run)
                run.give_up()

    def close(self) -> None:
        for run in self._runs:
            run.give_up()
        self._threads.shutdown(wait=False, cancel_futures=True)


_STARTING = threading.Lock()
"""multiprocessing keeps account of all processes."""


class _Run:
    """A process with one job. It is begun and waited for in a thread, and may be given up before it has begun."""

    def __init__(self, context: ForkServerContext, job: Job) -> None:
        self._reader, self._writer = context.Pipe(duplex=False)
        self._process = context.Process(target=_work, args=(job, self._writer), daemon=True)
        self._begun = self._given_up = False

    def result(self) -> Result:
        with self._reader:
            with self._writer, _STARTING:
                if not self._given_up:
                    self._process.start()
            self._begun = True
            if self._given_up:
                self.give_up()
            try:
                result: Result = self._reader.recv()
                return result
            except (EOFError, OSError):
                return Failure(f"the process that looked at the file has ended{self._how()}")

    def give_up(self) -> None:
        self._given_up = True
        if self._begun:
            with suppress(ValueError, AttributeError, OSError), _STARTING:  # it never began, or has ended
                self._process.terminate()

    def _how(self) -> str:
        with suppress(AssertionError, ValueError), _STARTING:
            self._process.join(1)
            code = self._process.exitcode
            return f" by {signal.Signals(-code).name}" if code is not None and code < 0 else f" with status {code}"
        return ""


def _work(job: Job, writer: Connection) -> None:
    """In the process, which has the module of the stages already."""
    from ompc.lsp.analysis import work_on

    watch_signals()
    with suppress(OSError):
        os.nice(NICENESS)
    try:
        result: Result = work_on(job)
    except CompileError as error:
        result = Answer(error.diagnostics, reads=(job.path,))
    except Exception as error:  # ompc's own mistake, which must not end the server
        result = Failure(f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}", traceback.format_exc())
    with suppress(OSError):  # nobody waits for it any more
        writer.send(result)

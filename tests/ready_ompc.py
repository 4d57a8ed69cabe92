"""The command `ompc` without its start, for tests that run it dozens of times: python3 ready_ompc.py SOCKET WORDS...

Most of what `ompc cc` costs for a small file is what Python imports. One process for each worker has imported it, and
forks for each command that comes through a socket, an abstract one:

    python3 -S -E ready_ompc.py SOCKET cc -c a.c      sends its words, directory, environment and streams, and ends
                                                      as the command ends
    python3 ready_ompc.py SOCKET                      the process that waits for them, until its standard input ends

What Python and ompc do before and behind the command itself is for tests that start it as users do: test_cli_ending,
test_cli_commands, test_toolchain_wheel.
"""

from __future__ import annotations

import _socket
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_STREAMS = struct.Struct("3i")
_LENGTH = struct.Struct("Q")
_STATUS = struct.Struct("i")
_READY = b"ready"
_IMPORTED = "cc.command cc.linking cc.objects cli driver toolchain.build toolchain.objects.cc_link".split()


@contextmanager
def ready_ompc() -> Iterator[str]:
    """The words of a shell for `ompc`."""
    place = f"ompc-{os.getpid()}-{os.urandom(4).hex()}"
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, __file__, place], **pipes, env=environ) as process:
        assert process.stdin is not None and process.stdout is not None
        assert process.stdout.read(len(_READY)) == _READY
        yield f"{sys.executable} -S -E {__file__} {place}"
        process.stdin.close()


def ask(place: str, words: Sequence[str]) -> int:
    """The status of the command."""
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.connect(f"\0{place}")
    directory = os.getcwdb()  # noqa: PTH109 -- as bytes
    text = ascii(([os.fsencode(word) for word in words], directory, dict(os.environb))).encode()
    streams = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, _STREAMS.pack(0, 1, 2))
    connection.sendmsg([_LENGTH.pack(len(text))], [streams])
    connection.sendall(text)
    (status,) = _STATUS.unpack(connection.recv(_STATUS.size))
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return int(status)


def serve(place: str) -> None:
    import gc
    import importlib
    import selectors
    import socket

    for name in _IMPORTED:
        importlib.import_module(f"ompc.{name}")
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as waiting:
        listener.bind(f"\0{place}")
        listener.listen(64)
        os.write(1, _READY)
        waiting.register(listener, selectors.EVENT_READ)
        waiting.register(0, selectors.EVENT_READ)
        while True:
            ready = [key.fd for key, _ in waiting.select(timeout=1)]
            _reap()
            if 0 in ready:
                break
            if not ready:
                continue
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                try:
                    _answer(connection)
                finally:
                    os._exit(70)  # it did not come to its own end
            connection.close()


def _reap() -> None:
    """Of commands that have ended, also what they have used."""
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        pass


def _answer(connection: _socket.socket) -> None:
    """In a process of its own: the command in another, since it may become a compiler or be killed."""
    import ast
    import socket

    length, streams, _, _ = socket.recv_fds(connection, _LENGTH.size, 3)  # type: ignore[arg-type]
    text = b""
    while len(text) < _LENGTH.unpack(length)[0]:
        text += connection.recv(1 << 20)
    words, directory, environ = ast.literal_eval(text.decode())
    process = os.fork()
    if process == 0:
        connection.close()
        os.chdir(directory)
        os.environb.clear()
        os.environb.update(environ)
        _run([os.fsdecode(word) for word in words], streams)
    for stream in streams:
        os.close(stream)
    _, status = os.waitpid(process, 0)
    connection.sendall(_STATUS.pack(os.waitstatus_to_exitcode(status)))
    os._exit(0)


def _run(words: Sequence[str], streams: Sequence[int]) -> None:
    """The command, as the interpreter would run it."""
    import atexit
    import traceback

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", closefd=False, errors="backslashreplace", buffering=1)
    sys.argv = ["ompc", *words]
    status: object = 0
    try:
        from ompc.__main__ import entry

        entry()
    except SystemExit as ending:
        status = ending.code
    except BaseException:
        traceback.print_exc()
        status = 1
    if isinstance(status, str):
        sys.stderr.write(f"{status}\n")
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(status if isinstance(status, int) else int(bool(status)))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(ask(sys.argv[1], sys.argv[2:]))
    serve(sys.argv[1])

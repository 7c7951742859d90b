"""The program beside this process: how it is started, asked and ended. cmd/internal/env describes the protocol."""

from __future__ import annotations

import json
import mmap
import os
import signal
import struct
import subprocess
import sys
import tempfile
import warnings
import weakref
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np
import numpy.typing as npt

_MAGIC, _VERSION = b"SINEWENV", 1


class Error(RuntimeError):
    """What the program refuses, such as a mistake in a robot file."""


class ProgramEnded(Error):
    """The program beside this process has ended, or was killed. The environment is closed."""


def program(name: str) -> str:
    """The path of the program tendonsim or microrobot that came with this package."""
    path = Path(__file__).parent / "bin" / name
    if not path.is_file():
        raise Error(f"{path} is not there: install the wheel, which brings it, and not the source alone")
    return str(path)


def tendonsim() -> NoReturn:
    """The command tendonsim."""
    os.execv(program("tendonsim"), sys.argv)


def microrobot() -> NoReturn:
    """The command microrobot."""
    os.execv(program("microrobot"), sys.argv)


class Process:
    """A program that steps robots, and the arrays that it shares with this process."""

    header: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]

    def __init__(self, name: str, arguments: list[str]) -> None:
        self._owner = os.getpid()
        # Numbers of the last request, and of the last one whose answer was read. An interrupt may come at any moment: a number
        # counts as sent before it is written, and as answered after all of the answer is read.
        self._sent = self._answered = 0
        self._began = False
        self._log = tempfile.TemporaryFile()
        # A session of its own: Ctrl-C at the terminal is for this process, which decides.
        self._popen = subprocess.Popen(
            [program(name), "env", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, bufsize=0, start_new_session=True
        )
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._to, self._from = self._popen.stdin, self._popen.stdout
        self._end = weakref.finalize(self, _end, self._popen, self._log, self._owner)
        self._unread = b""
        try:
            self._open(self._line())
            self._began = True
        except BaseException:
            self.close()
            raise
        for line in self._logged().splitlines():
            warnings.warn(line, stacklevel=5)

    @property
    def closed(self) -> bool:
        return not self._end.alive

    def _open(self, ready: str) -> None:
        word, _, path = ready.partition(" ")
        if word != "ready":
            raise Error(f"{path or ready!r}: no answer of this version of the program")
        with open(path, "r+b") as file:
            os.unlink(path)  # nothing is left of it, however both processes end
            memory = mmap.mmap(file.fileno(), 0)
        magic, version, length = struct.unpack_from("<8sII", memory)
        if magic != _MAGIC or version != _VERSION:
            raise Error(f"the shared memory begins with {magic!r}, version {version}; want {_MAGIC!r}, version {_VERSION}")
        head = struct.calcsize("<8sII")
        self.header = json.loads(memory[head : head + length])
        self.arrays = {
            name: np.frombuffer(memory, a["type"], int(np.prod(a["shape"])), a["offset"]).reshape(a["shape"]) for name, a in self.header["arrays"].items()
        }

    def ask(self, request: str) -> str:
        """Sends a request, waits for its answer and returns the text behind "ok"."""
        self.settle()
        answer = self._exchange("", request)
        word, _, text = answer.partition(" ")
        if word != "ok":
            raise Error(text if word == "error" else answer)
        return text

    def settle(self) -> None:
        """Waits, after an interrupt, until the program does nothing more. Only then may the arrays be written."""
        self.check_owner()
        if not self._end.alive:
            raise ProgramEnded("the environment is closed")
        if self._answered != self._sent:
            self._exchange("\n", "wait")  # a request of which only a part was written ends here

    def _exchange(self, before: str, request: str) -> str:
        self._sent += 1
        number = str(self._sent)
        rest = f"{before}{number} {request}\n".encode()
        try:
            while rest:
                rest = rest[self._to.write(rest) :]
        except BrokenPipeError:
            self._raise_ended()
        while True:
            to, _, answer = self._line().partition(" ")
            if to == number:  # others answer what was interrupted
                break
        self._answered = self._sent
        return answer

    def check_owner(self) -> None:
        """Refuses a process that was forked from the one that began: both would read one answer."""
        if os.getpid() != self._owner:
            raise Error(f"this environment belongs to process {self._owner}, not to {os.getpid()}, which was forked from it: make one in each process")

    def _line(self) -> str:
        while b"\n" not in self._unread:
            part = os.read(self._from.fileno(), 1 << 16)
            if not part:
                self._raise_ended()
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode(errors="replace")

    def _raise_ended(self) -> NoReturn:
        code = self._popen.wait()
        said = self._logged().strip()
        self.close()
        if not self._began and code in (1, 2) and said:  # refused, which it says in full
            raise Error(said)
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        raise ProgramEnded(f"the simulator (process {self._popen.pid}) {how}" + (f": {said}" if said else ""))

    def _logged(self) -> str:
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def close(self) -> None:
        """Ends the program. Again it does nothing."""
        self._end()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an environment cannot be pickled: make one in each process")


def _end(popen: subprocess.Popen[bytes], log: IO[bytes], owner: int) -> None:
    """Ends a program; in a process that was forked it only lets go of it."""
    for file in (popen.stdin, popen.stdout, log):
        if file is not None:
            file.close()
    if os.getpid() != owner:
        popen.returncode = 0  # it is no child of this process
        return
    for end, grace in ((popen.terminate, 1), (popen.kill, 4)):  # a step that takes long ends between two robots
        try:
            popen.wait(timeout=grace)
            return
        except subprocess.TimeoutExpired:
            end()
    popen.wait()

"""A proxy that loses answers: it cuts connections just when a server has answered, before the client hears of it."""

from __future__ import annotations

import random
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

HEAD = 9
"""Bytes of the head of an HTTP/2 frame: length (3), type, flags, stream (4)."""
HEADERS, END_STREAM = 1, 1
"""The type of the frame that an answer begins with, and the flag of one that ends it: a refusal is a single frame."""


class CuttingProxy(socketserver.ThreadingUnixStreamServer):
    """Stands between gRPC clients and a server, all on unix sockets, and loses about half of all answers.

    The server has done by then what it was asked for. Which answers are lost follows from `seed`.
    """

    def __init__(self, listen: Path, server: Path, seed: int) -> None:
        self.target = str(server)
        self.cuts = 0
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        super().__init__(str(listen), _Connection)

    def lose(self) -> bool:
        """Whether the next answer is to be lost."""
        with self._lock:
            lose = self._random.random() < 0.5
            self.cuts += lose
            return lose


class _Connection(socketserver.BaseRequestHandler):
    """One connection, until one of its ends is closed or it is cut."""

    request: socket.socket
    server: CuttingProxy

    def handle(self) -> None:
        with socket.socket(socket.AF_UNIX) as target, suppress(OSError):
            target.connect(self.server.target)
            there = threading.Thread(target=_carry, args=(self.request, target))
            there.start()
            with suppress(OSError, EOFError):
                self._carry_answers(target)
            for end in (target, self.request):
                with suppress(OSError):  # it is closed already
                    end.shutdown(socket.SHUT_RDWR)
            there.join()

    def _carry_answers(self, target: socket.socket) -> None:
        with target.makefile("rb") as answers:
            while True:
                head = _read(answers, HEAD)
                body = _read(answers, int.from_bytes(head[:3]))
                if head[3] == HEADERS and not head[4] & END_STREAM and self.server.lose():
                    return
                self.request.sendall(head + body)


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def _read(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


@contextmanager
def cutting(listen: Path, server: Path, seed: int) -> Iterator[CuttingProxy]:
    """A proxy that runs in the block. At its end it waits for its connections: clients and server must be gone."""
    with CuttingProxy(listen, server, seed) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05}, name="proxy")
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()

"""The one way to build a server: every service gets the same health, reflection, limits, errors, metrics and drain."""

from __future__ import annotations

import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Self

import grpc
from grpc_health.v1 import health, health_pb2_grpc

from services.common import logs, reflection
from services.common.address import Address
from services.common.calls import Method
from services.common.door import Door
from services.common.health import Health
from services.common.lanes import Lane, WaitWatch
from services.common.metrics import CallMetrics
from services.common.settings import Settings

if TYPE_CHECKING:
    from services.common.calls import Handler

KINDS = {
    (False, False): "unary",
    (True, False): "client_stream",
    (False, True): "server_stream",
    (True, True): "bidi_stream",
}
"""Names of the kinds of methods in metrics, by (request, response) streaming."""
BEHAVIORS = {
    (False, False): "unary_unary",
    (True, False): "stream_unary",
    (False, True): "unary_stream",
    (True, True): "stream_stream",
}
"""Where a generated handler keeps its function."""
SWITCH_INTERVAL = 0.0005
"""Seconds for which a computing thread keeps the others waiting: a health check needs several turns among them."""
LOOK = 0.2
"""Seconds after which the main thread looks whether a signal has come."""
MIN_PING_INTERVAL = 30_000
"""Milliseconds between two keepalive pings of a client that has nothing to say: half of the SDK's. gRPC's own limit of
five minutes would cut off a quiet stream of a client that pings more often."""
QUIET = 0.1
"""Seconds without a call after which none waits inside gRPC, where its shutdown would cancel it."""
SETTLE = 1.0
"""Seconds that calls may go on coming after the drain, and answers take to leave."""
HARD_LIMIT = 4
"""gRPC itself drops messages longer than this many times the limit, so that those in between get a counted answer."""

log = logs.logger(__name__)


class ListenError(OSError):
    """A server cannot listen where it should; the text says why."""


class Server:
    """A gRPC server on one address. Add services, `start` it, and `drain` it before the process ends."""

    def __init__(
        self, address: Address | str, settings: Settings, metrics: CallMetrics, *, share_port: bool = False
    ) -> None:
        """`share_port` lets several processes listen on one port (SO_REUSEPORT): for the launcher of such processes."""
        self.address = Address.parse(address) if isinstance(address, str) else address
        """Where it listens; after `start` with the port that it got."""
        self.settings = settings
        self.services: list[str] = []
        self._metrics = metrics
        self._lanes = {
            "unary": Lane("unary", settings.unary_threads, settings.unary_queue),
            "stream": Lane("stream", settings.stream_threads, 0),
            "health": Lane("health", 2, 64),
        }
        self._watch = WaitWatch()
        self.door = Door(metrics, settings.token.get_secret_value())
        self._health = Health()
        self._lanes["watch"] = self._health.lane
        self._server = grpc.server(
            self._lanes["health"].pool,  # for what names no threads of its own: nothing
            handlers=[self.door],
            options=[
                ("grpc.so_reuseport", int(share_port)),
                ("grpc.max_receive_message_length", HARD_LIMIT * settings.max_message_bytes),
                ("grpc.max_metadata_size", 16 * 1024),
                ("grpc.max_concurrent_streams", 1024),
                ("grpc.keepalive_time_ms", 60_000),
                ("grpc.http2.min_ping_interval_without_data_ms", MIN_PING_INTERVAL),
            ],
        )

    def add(self, add_to_server: Callable[[Any, Any], None], servicer: object) -> None:
        """Adds a service by its generated function, as `add(add_RulesServiceServicer_to_server, RulesService())`."""
        add_to_server(servicer, _Collector(self._add_handlers))

    def _add_handlers(self, service: str, handlers: Mapping[str, Handler]) -> None:
        self.services.append(service)
        for name, handler in handlers.items():
            self._add_method(service, name, handler)
        self._health.add(service)

    def _add_method(
        self, service: str, name: str, handler: Handler, lane: str = "", *, open_to_all: bool = False
    ) -> None:
        streams = handler.request_streaming, handler.response_streaming
        kind = KINDS[streams]
        method = Method(
            path=f"/{service}/{name}",
            behavior=getattr(handler, BEHAVIORS[streams]),
            decode=handler.request_deserializer or bytes,
            streams_in=streams[0],
            streams_out=streams[1],
            subscribes=lane == "watch",
            lane=self._lanes[lane or ("unary" if kind == "unary" else "stream")],
            metrics=self._metrics.method(kind, service, name),
            settings=self.settings,
            watch=self._watch,
        )
        self.door.add(method, open_to_all=open_to_all)

    def _add_health(self) -> None:
        def add(service: str, handlers: Mapping[str, Handler]) -> None:
            for name, handler in handlers.items():
                self._add_method(service, name, handler, "watch" if name == "Watch" else "health", open_to_all=True)

        health_pb2_grpc.add_HealthServicer_to_server(self._health, _Collector(add))

    def start(self) -> Address:
        """Listens and answers. Raises ListenError when the address is taken or not this machine's."""
        for path, handler in reflection.handlers([*self.services, health.SERVICE_NAME]).items():
            _, service, name = path.split("/")
            self._add_method(service, name, handler)
        self._add_health()
        self.address = self._bind()
        self._server.start()
        log.info("listening", address=str(self.address), services=self.services)
        return self.address

    def _bind(self) -> Address:
        if self.address.is_unix and _answers(self.address.path):
            raise ListenError(f"another process listens on {self.address}")  # gRPC would take the socket from it
        certificate, key = self.settings.tls_cert, self.settings.tls_key
        if certificate is not None and key is None and not self.address.is_unix:
            raise ListenError(f"PAPAMU_TLS_KEY: serving {self.address} needs the key of {certificate}")
        try:
            if certificate is None or key is None or self.address.is_unix:
                port = self._server.add_insecure_port(str(self.address))
            else:
                pair = key.read_bytes(), certificate.read_bytes()
                port = self._server.add_secure_port(str(self.address), grpc.ssl_server_credentials([pair]))
        except RuntimeError as error:
            raise ListenError(f"cannot listen on {self.address}: taken by another process, or not ours") from error
        return self.address if self.address.is_unix else Address(self.address.host, port)

    def inside(self, lane: str) -> int:
        """Calls that have a place now in the lane `unary`, `stream` or `health`."""
        return self._lanes[lane].inside

    def wait_idle(self, lane: str, timeout: float) -> bool:
        """Waits until the lane is empty; whether that came within `timeout` seconds."""
        return self._lanes[lane].wait_idle(timeout)

    def drain(self) -> bool:
        """Says NOT_SERVING, refuses new calls as UNAVAILABLE, lets those under way finish, and stops.

        Takes at most `drain_wait + drain_grace` seconds, and two more for gRPC to send its last answers. A stream that
        only waits for its client is ended at once. Returns whether all calls came to their end.
        """
        self._health.drain()
        if self.settings.drain_wait:
            threading.Event().wait(self.settings.drain_wait)
        self.door.close()
        deadline = time.monotonic() + self.settings.drain_grace
        self._watch.cancel_idle()
        finished = True
        for name in ("unary", "stream"):
            lane = self._lanes[name]
            if not lane.wait_idle(max(deadline - time.monotonic(), 0)):
                finished = False
                log.warning("calls cut off", lane=name, calls=lane.inside)
        until = time.monotonic() + SETTLE
        while self.door.quiet() < QUIET and time.monotonic() < until:
            time.sleep(QUIET / 10)
        self.stop(SETTLE if finished else 0)
        return finished

    def stop(self, grace: float = 0) -> None:
        """Stops, and ends all calls that are not done within `grace` seconds."""
        self.door.close()
        self._health.close()
        self._server.stop(grace).wait()
        self._watch.close()
        for lane in self._lanes.values():
            lane.close()
        self.door.release()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Collector:
    """Stands in for a grpc.Server to learn what the generated `add_..._to_server` would register."""

    def __init__(self, add: Callable[[str, Mapping[str, Handler]], None]) -> None:
        self.add_registered_method_handlers = add

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """Ignored: these are the same methods once more."""


def _answers(path: str) -> bool:
    """Whether a process listens on a unix socket; a file that nobody listens on is left over from a crash."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except OSError:
            return False
        return True


@contextmanager
def stop_signals() -> Iterator[threading.Event]:
    """An event that the first SIGTERM or SIGINT sets. A second signal ends the process at once, by default action."""
    event = threading.Event()
    numbers = (signal.SIGTERM, signal.SIGINT)

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
        event.set()

    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield event
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def wait_for(stop: threading.Event) -> None:
    """Waits in the main thread for an event of `stop_signals`.

    Handlers run there, and a signal that the system hands to another thread does not wake it: it looks by itself.
    """
    while not stop.wait(LOOK):
        pass


def _drain_all(servers: Sequence[Server]) -> bool:
    with ThreadPoolExecutor(len(servers), thread_name_prefix="drain") as pool:  # side by side: each may take its time
        return all(list(pool.map(Server.drain, servers)))


def serve(servers: Sequence[Server], stop: threading.Event, on_ready: Callable[[], None] = lambda: None) -> bool:
    """Starts the servers, calls `on_ready`, waits for `stop`, and drains. Raises ListenError; then none runs.

    Returns whether all calls came to their end. Where not, threads still work for those that were cut off, and Python
    would wait for them before it ends the process.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    with ExitStack() as started:
        for server in servers:
            server.start()
            started.callback(server.stop)
        on_ready()
        wait_for(stop)
        log.info("draining")
        started.pop_all()
        finished = _drain_all(servers)
    log.info("stopped")
    return finished

"""Channels to Papamu's servers: TLS where wanted, keepalive, and retries while a server is UNAVAILABLE."""

from __future__ import annotations

import json
from typing import Any

import grpc
import grpc.aio

SERVICE_CONFIG = json.dumps(
    {
        "methodConfig": [
            {
                "name": [{}],
                "retryPolicy": {
                    "maxAttempts": 5,
                    "initialBackoff": "0.1s",
                    "maxBackoff": "2s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ]
    }
)
"""Every call may be repeated: those that change something carry a request id."""
MAX_ANSWER = 64 << 20
"""Bytes of the longest answer that is taken."""


def _options(retries: bool = True) -> list[tuple[str, Any]]:
    return [
        *([("grpc.service_config", SERVICE_CONFIG)] if retries else []),
        ("grpc.enable_retries", int(retries)),
        ("grpc.max_reconnect_backoff_ms", 5_000),
        ("grpc.max_receive_message_length", MAX_ANSWER),
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_timeout_ms", 20_000),
    ]


def connect(address: str, root_certificates: bytes | None = None, *, retries: bool = True) -> grpc.Channel:
    """A channel to `host:port` or `unix:/path`; `root_certificates` (PEM, b"" = the system's) turns TLS on.

    Makes no connection yet, so it may be called where no server runs. Without `retries` a failed call fails at once,
    for callers with a mind of their own about that.
    """
    if root_certificates is None:
        return grpc.insecure_channel(address, _options(retries))
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(root_certificates or None), _options(retries))


def connect_async(address: str, root_certificates: bytes | None = None) -> grpc.aio.Channel:
    """The same for asyncio. Call it in a running event loop."""
    if root_certificates is None:
        return grpc.aio.insecure_channel(address, _options())
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(root_certificates or None), _options())


def authorization(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata that shows a token; nothing for ""."""
    return (("authorization", f"Bearer {token}"),) if token else ()

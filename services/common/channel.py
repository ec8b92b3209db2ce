"""Channels from one process of ours to another, as the settings want them."""

from __future__ import annotations

import grpc
from papamu.sdk.channel import connect

from services.common.address import Address
from services.common.settings import Settings

EVERYWHERE = ("0.0.0.0", "[::]")  # noqa: S104  # looked for, not listened on
"""Hosts that a server listens on and nobody can dial."""


def dial(address: str, settings: Settings, *, retries: bool = True) -> grpc.Channel:
    """A channel to a service: TLS over TCP when there is a certificate, as its server does; it is what is trusted.

    The service of this machine that listens on all its addresses is dialled as `localhost`.
    """
    where = Address.parse(address)
    if where.host in EVERYWHERE:
        where = Address("localhost", where.port)
    trusted = None if settings.tls_cert is None or where.is_unix else settings.tls_cert.read_bytes()
    return connect(str(where), trusted, retries=retries)

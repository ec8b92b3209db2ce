"""A certificate for tests, signed by itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.tools import program


def certificate(folder: Path) -> tuple[Path, Path]:
    """The files of a certificate for this machine and of its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    make = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert, *names]
    subprocess.run([program("openssl"), *make], check=True, capture_output=True)
    return cert, key

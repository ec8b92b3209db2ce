"""Bots as strangers write them: whole programs, good and bad ones, without anything of Papamu."""

from __future__ import annotations

import sys
from pathlib import Path

from engines.external.program import Program

HEAD = """
import json, os, signal, subprocess, sys, time
print('{"protocol": "papamu.bot.v1"}', flush=True)
"""
FIRST = """
for line in sys.stdin:
    print(json.dumps({"token": json.loads(line)["legal_moves"][0]["token"]}), flush=True)
"""


def at_move(number: int, deed: str) -> str:
    """A bot that takes the first move until its decision `number` (from 1), where it does a deed."""
    return HEAD + (
        "for n, line in enumerate(sys.stdin, 1):\n"
        f"    if n == {number}:\n"
        f"        {deed}\n"
        '    print(json.dumps({"token": json.loads(line)["legal_moves"][0]["token"]}), flush=True)\n'
    )


def program(folder: Path, source: str, *, memory_mb: int = 0, cpu_seconds: int = 0, errors: bool = False) -> Program:
    """The program of a source text."""
    file = folder / "bot.py"
    file.write_text(source)
    return Program([sys.executable, "-S", str(file)], folder, memory_mb, cpu_seconds, errors)


def alive(mark: str) -> list[int]:
    """Processes that still run and whose command line holds `mark`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
            state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:  # it ended meanwhile
            continue
        if mark in command and state != "Z":
            found.append(int(entry.name))
    return found

"""Generates the contract's modules, then packs `papamu`."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc
from setuptools import find_packages, setup

os.chdir(Path(__file__).parent)
protos = sorted(str(path) for path in Path("papamu").rglob("*.proto"))
well_known = str(files("grpc_tools") / "_proto")
args = ["protoc", "-I.", f"-I{well_known}", "--python_out=.", "--pyi_out=.", "--grpc_python_out=.", *protos]
if protoc.main(args) != 0:
    raise SystemExit("protoc failed")
for proto in protos:
    for folder in Path(proto).parents[:-1]:
        (folder / "__init__.py").touch()
setup(packages=find_packages(".", include=["papamu*"]))

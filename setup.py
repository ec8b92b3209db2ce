"""Build steps that pyproject.toml cannot say: protoc for the contract, Cython for the hot modules."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

HOT = sorted(str(pxd.with_suffix(".py")) for pxd in Path("engines").rglob("*.pxd"))
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # annotations are for mypy; C types stand in the .pxd
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "auto_pickle": False,  # nothing is pickled, and the code for it doubles the build
}


def generate() -> None:
    """Writes *_pb2.py, *_pb2.pyi, *_pb2_grpc.py and __init__.py beside each .proto (git ignores them all)."""
    from importlib.resources import files

    from grpc_tools import protoc

    protos = sorted(str(p) for p in Path("proto").rglob("*.proto"))
    well_known = str(files("grpc_tools") / "_proto")
    args = [
        "protoc",
        "-Iproto",
        f"-I{well_known}",
        "--python_out=proto",
        "--pyi_out=proto",
        "--grpc_python_out=proto",
        *protos,
    ]
    if protoc.main(args) != 0:
        raise SystemExit("protoc failed")
    for proto in protos:
        for folder in Path(proto).relative_to("proto").parents:
            if folder.parts:
                (Path("proto") / folder / "__init__.py").touch()


class BuildExt(build_ext):
    """All hot modules compile, or none does: a compiled class cannot be mixed with an interpreted base."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:  # no compiler, no Python.h: the same .py runs interpreted
            if os.environ.get("PAPAMU_BUILD") == "compiled":
                raise
            for ext in self.extensions:  # what compiled before the failure, and what an older build left
                for root in (Path(), Path(self.build_lib)):
                    for path in root.glob(ext.name.replace(".", "/") + ".*.so"):
                        path.unlink()
            self.extensions = []
            # The error quotes the whole command line; its program is enough.
            print(f"papamu: engines stay interpreted (slow), compiling failed: {error!s:.80}", file=sys.stderr)
            print("papamu: for compiled ones: apt-get install gcc python3-dev, then make build", file=sys.stderr)

    def get_source_files(self) -> list[str]:
        return HOT  # the sdist carries sources, not generated C


def extensions() -> list[Extension]:
    if os.environ.get("PAPAMU_BUILD") == "pure":
        return []
    from Cython.Build import cythonize

    def flags(path: str) -> list[str]:
        # Tables are filled once a setup, and optimizing that takes a fifth of the build.
        return ["-O1" if Path(path).stem == "tables" else "-O3", "-g0", "-ffp-contract=off"]

    exts = [Extension(p[:-3].replace("/", "."), [p], extra_compile_args=flags(p)) for p in HOT]
    return cythonize(
        exts, build_dir="build/cython", nthreads=os.cpu_count() or 1, compiler_directives=DIRECTIVES, quiet=True
    )


generate()  # first: setuptools lists the packages that are there
setup(
    packages=find_packages(".", include=["engines*", "services*", "workers*"]) + find_packages("proto"),
    package_dir={"papamu": "proto/papamu"},
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildExt},
)

"""Writes docs/api.md from the contract: `python docs/api/generate.py`. A test fails when the page is older."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "api.md"
EXAMPLES = Path(__file__).with_name("examples.toml")
PACKAGE = ".papamu.rules.v1."
FILES = ("papamu/rules/v1/rules.proto", "papamu/rules/v1/envelope.proto")
HEAD = Path(__file__).with_name("head.md")
SCALARS = {number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()}


def contract() -> FileDescriptorSet:
    """The descriptors of the rules package, with comments."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "set.bin")
        arguments = [f"-I{ROOT / 'proto'}", f"-I{files('grpc_tools') / '_proto'}", "--include_source_info"]
        if protoc.main(["protoc", *arguments, f"--descriptor_set_out={out}", *FILES]) != 0:
            raise SystemExit("protoc failed")
        return FileDescriptorSet.FromString(out.read_bytes())


class Comments:
    """The comment above each element, by its path in the file."""

    def __init__(self, file: Any) -> None:
        self._texts = {tuple(place.path): place.leading_comments for place in file.source_code_info.location}

    def of(self, *path: int) -> str:
        """The comment in one line."""
        return " ".join(self._texts.get(path, "").split())


def page() -> str:
    """The whole page."""
    by_name = {file.name: file for file in contract().file}
    rules, envelope = (by_name[name] for name in FILES)
    examples = tomllib.loads(EXAMPLES.read_text("utf-8"))
    parts = [HEAD.read_text("utf-8"), "## Calls\n"]
    comments = Comments(rules)
    messages = {message.name: i for i, message in enumerate(rules.message_type)}
    shown: set[str] = set()
    for i, method in enumerate(rules.service[0].method):
        parts.append(f"### {method.name}\n\n{comments.of(6, 0, 2, i)}\n")
        for streams, name in (
            (method.client_streaming, method.input_type),
            (method.server_streaming, method.output_type),
        ):
            name = name.removeprefix(PACKAGE)
            shown.add(name)
            parts.append(f"**{name}**{' (a stream of them)' if streams else ''}\n")
            parts.append(_table(rules.message_type[messages[name]], comments, (4, messages[name])))
        parts += _examples(method.name, examples[method.name])
    parts.append("## Messages\n")
    for file in (envelope, rules):
        comments = Comments(file)
        for i, message in enumerate(file.message_type):
            if message.name not in shown:
                parts.append(f"### {message.name}\n\n{comments.of(4, i)}\n")
                parts.append(_table(message, comments, (4, i)))
        for i, enum in enumerate(file.enum_type):
            parts.append(f"### {enum.name}\n\n{comments.of(5, i)}\n")
            parts.append(_values(enum, comments, i))
    return "\n".join(parts).rstrip() + "\n"


def _examples(method: str, example: dict[str, str]) -> Iterator[str]:
    call = f"grpcurl -plaintext -d '{example['json']}' 127.0.0.1:7451 papamu.rules.v1.RulesService/{method}"
    yield f"```sh\n{call}\n```\n"
    yield f"```python\n{example['python'].strip()}\n```\n"


def _table(message: DescriptorProto, comments: Comments, path: tuple[int, ...]) -> str:
    if not message.field:
        return "No fields.\n"
    rows = ["| field | number | type | meaning |", "| --- | --- | --- | --- |"]
    for i, field in enumerate(message.field):
        rows.append(f"| `{field.name}` | {field.number} | {_type(message, field)} | {comments.of(*path, 2, i)} |")
    return "\n".join(rows) + "\n"


def _type(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    name = field.type_name.removeprefix(PACKAGE).lstrip(".") or SCALARS[field.type]
    entry = next((nested for nested in message.nested_type if name.endswith("." + nested.name)), None)
    if entry is not None and entry.options.map_entry:
        return f"map of {SCALARS[entry.field[0].type]} to {SCALARS[entry.field[1].type]}"
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {name}"
    if field.proto3_optional:
        return f"optional {name}"
    if field.HasField("oneof_index"):
        return f"{name}, one of `{message.oneof_decl[field.oneof_index].name}`"
    return name


def _values(enum: EnumDescriptorProto, comments: Comments, i: int) -> str:
    rows = ["| value | number | meaning |", "| --- | --- | --- |"]
    for j, value in enumerate(enum.value):
        rows.append(f"| `{value.name}` | {value.number} | {comments.of(5, i, 2, j)} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")

"""Server reflection, v1 and v1alpha: how grpcurl and the like learn the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
from google.protobuf import descriptor_pool, text_format
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection, reflection_pb2

if TYPE_CHECKING:
    from services.common.calls import Handler

V1ALPHA = "grpc.reflection.v1alpha.ServerReflection"
V1 = "grpc.reflection.v1.ServerReflection"


def handlers(services: list[str]) -> dict[str, Handler]:
    """Handlers by path for both versions; `services` are the full names that they list."""
    _describe_v1()
    servicer = reflection.ReflectionServicer([*services, V1, V1ALPHA])
    handler = grpc.stream_stream_rpc_method_handler(
        servicer.ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    return {f"/{version}/ServerReflectionInfo": handler for version in (V1, V1ALPHA)}


def _describe_v1() -> None:
    """Adds the descriptor of v1. The library brings v1alpha only; the two differ in nothing but the package's name."""
    pool = descriptor_pool.Default()
    path = "grpc/reflection/v1/reflection.proto"
    try:
        pool.FindFileByName(path)
    except KeyError:
        v1 = FileDescriptorProto()
        reflection_pb2.DESCRIPTOR.CopyToProto(v1)
        v1 = text_format.Parse(str(v1).replace("reflection.v1alpha", "reflection.v1"), FileDescriptorProto())
        v1.name = path
        pool.AddSerializedFile(v1.SerializeToString())

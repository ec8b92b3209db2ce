"""The services: one folder each; they call one another over gRPC and never import one another."""

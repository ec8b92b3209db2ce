"""Celery workers: they play games with the engines in-process and report to the ladder over gRPC."""

"""Rules and thinking: no I/O, no protobuf in the hot modules."""

import os

if os.environ.get("PAPAMU_PURE") == "1":
    from engines import _pure

    _pure.install()

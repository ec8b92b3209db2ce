"""How much of the referee's own speed a ladder keeps: `python -m bench.ladder_throughput`.

Both sides play the same random Tiki games. *loop* is one process that plays them and makes the record bytes, without
any store. *ladder* is the real thing: Redis, the ladder and record services, a worker with a child per processor; its
time runs from the request until the last result is stored. *insert* is SQLAlchemy alone, writing the
records in bulk in one transaction, for the rows a second that the database could take.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import grpc
from papamu.ladder.v1 import ladder_pb2 as pb
from papamu.ladder.v1.ladder_pb2_grpc import LadderServiceStub
from papamu.records.v1 import records_pb2
from papamu.rules.v1 import envelope_pb2
from papamu.tiki.v1 import tiki_pb2
from sqlalchemy import Column, Integer, LargeBinary, MetaData, String, Table, insert

from engines import envelope
from engines.record import record as records
from engines.referee import Referee
from engines.search.bots import make_bot
from services.cli.stack import Stack
from services.cli.supervisor import Supervisor
from services.common.database import Database
from services.common.settings import load
from services.ladder.schedule import bot_seed, chance_seed, schedule

SECRET = b"bench: the same games on both sides"
SETUP = envelope_pb2.Setup(tiki=tiki_pb2.Options())
BOTS = ("one", "two")


def loop(blocks: int) -> tuple[float, list[bytes]]:
    """Seconds and records of the games in one process."""
    rules = envelope.read_rules(SETUP)
    game = envelope.game_of(rules)
    players = [records.player(name, "random") for name in BOTS]
    made = []
    start = time.perf_counter()
    for row in schedule(len(BOTS), rules.seats, blocks, SECRET):
        seed = bot_seed(SECRET, row.block, row.rotation)
        referee = Referee(
            rules,
            [make_bot(game, "random", {}, seed, seat) for seat in range(rules.seats)],
            chance_seed(SECRET, row.block),
        )
        result = referee.run()
        record = records.new_record(
            f"bench-{row.number}",
            rules,
            [players[i] for i in row.players],
            referee.moves,
            result,
            event="bench",
            chance_seed=chance_seed(SECRET, row.block),
        )
        made.append(records.to_bytes(record))
    return time.perf_counter() - start, made


def ladder(blocks: int, workers: int, folder: Path) -> tuple[float, float, list[bytes]]:
    """Seconds until the last result, until the last record is delivered, and the records, of a ladder on processes."""
    settings = load(
        data_dir=folder,
        rules_address=f"unix:{folder}/rules.sock",
        ladder_address=f"unix:{folder}/ladder.sock",
        records_address=f"unix:{folder}/records.sock",
        metrics_address="127.0.0.1:0",
        workers_metrics_address="127.0.0.1:0",
        workers=workers,
    )
    with Supervisor() as supervisor:
        address = Stack(settings, supervisor).start().ladder
        with grpc.insecure_channel(address) as channel:
            stub = LadderServiceStub(channel)
            for name in BOTS:
                stub.CreateBot(pb.CreateBotRequest(bot=pb.Bot(name=name, kind="random")))
            start = time.perf_counter()
            request = pb.CreateLadderRequest(request_id="bench", setup=SETUP, bots=BOTS, blocks=blocks, secret=SECRET)
            made = stub.CreateLadder(request).ladder
            while made.state != pb.LADDER_STATE_FINISHED:
                threading.Event().wait(0.05)
                made = stub.GetLadder(pb.GetLadderRequest(ladder_id=made.id)).ladder
            finished = time.perf_counter() - start
            while stub.GetStatus(pb.GetStatusRequest()).outbox:
                threading.Event().wait(0.05)
            delivered = time.perf_counter() - start
            data = [
                stub.GetGameRecord(pb.GetGameRecordRequest(game_id=f"{made.id}-{number}")).record
                for number in range(made.games_total)
            ]
    return finished, delivered, [_renamed(record, number) for number, record in enumerate(data)]


def _renamed(record: records_pb2.Record, number: int) -> bytes:
    """The record under the name that `loop` gives it."""
    record.game_id, record.event = f"bench-{number}", "bench"
    return records.to_bytes(record)


def bulk_insert(data: list[bytes], folder: Path) -> float:
    """Rows a second of a bulk insert of these records, two rows each as in the service (result and record)."""
    metadata = MetaData()
    table = Table(
        "row",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("game", String(40)),
        Column("data", LargeBinary),
    )
    database = Database(f"sqlite:///{folder}/insert.sqlite")
    metadata.create_all(database.engine)
    rows = [{"game": str(i), "data": record} for i, record in enumerate(data) for _ in range(2)]
    start = time.perf_counter()
    with database.write() as connection:
        connection.execute(insert(table), rows)
    seconds = time.perf_counter() - start
    database.close()
    return len(rows) / seconds


def main() -> int:
    """Prints the numbers as JSON; fails when the ladder keeps less than half of the loop's speed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--blocks", type=int, default=1000, help="seat blocks; a block is two games")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    games = 2 * given.blocks
    with tempfile.TemporaryDirectory(prefix="papamu-bench-") as name:
        folder = Path(name)
        seconds, expected = loop(given.blocks)
        finished, delivered, data = ladder(given.blocks, given.workers, folder)
        rows = bulk_insert(data, folder)
    share = (games / finished) / (games / seconds)
    result = {
        "games": games,
        "loop_games_per_second": round(games / seconds, 1),
        "ladder_games_per_second": round(games / finished, 1),
        "share": round(share, 3),
        "delivered_games_per_second": round(games / delivered, 1),
        "same_records": data == expected,
        "workers": given.workers,
        "ladder_rows_per_second": round(3 * games / finished, 1),
        "bulk_insert_rows_per_second": round(rows),
    }
    print(json.dumps(result, indent=2))
    return 0 if share >= 0.5 and data == expected else 1


if __name__ == "__main__":
    sys.exit(main())

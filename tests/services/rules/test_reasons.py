"""Why a move is refused, over the wire: every published rule of Tiki is told by somebody's mistake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from papamu.rules.v1 import envelope_pb2 as env
from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.rules_pb2_grpc import RulesServiceStub

from engines import envelope, registry
from engines.core.game import BadInput
from engines.core.state import State
from tests.support.walk import walk

# Well-formed moves that no totem can make: they have no code, but reasons all the same.
IMPOSSIBLE = [(0, 4), (0, 8), (0, 1, 0), (0, 1, 1)]


def states(seed: int) -> Iterator[State]:
    """The states of a random game with the shaman."""
    return walk(envelope.read_rules(env.Setup(tiki={"shaman": True})), seed, 400)


def mistakes(state: State) -> Iterator[env.Action]:
    """Every move of the vocabulary and some impossible ones, by the actor and by others."""
    messages = [m for m in envelope.lexicon(state.rules).messages if m is not None]
    messages += [env.Move(tiki={"move": {"path": path}}) for path in IMPOSSIBLE]
    for message in messages:
        yield env.Action(move=message)
    yield env.Action(move=messages[0], seat=0)
    yield env.Action(move=messages[0], seat=1)
    yield env.Action(move=messages[0], chance={})


@pytest.mark.slow
def test_every_rule_of_tiki_is_told_over_the_wire(stub: RulesServiceStub) -> None:
    missing = {rule.id: rule for rule in registry.game("tiki").explain.RULES}
    for seed in range(40):
        for state in states(seed):
            for action in mistakes(state):
                try:
                    move, sender = envelope.read_action(state.rules, action)
                except BadInput:
                    continue
                here = envelope.explain(state, move, sender)
                if missing.keys() & {reason.id for reason in here}:
                    request = pb.ValidateMoveRequest(position=envelope.write_position(state), action=action)
                    answer = stub.ValidateMove(request)
                    assert not answer.legal
                    assert list(answer.reasons) == envelope.write_reasons(here)
                    for reason in answer.reasons:
                        rule: Any = missing.pop(reason.id, None)
                        assert rule is None or reason.kind == rule.kind
            if not missing:
                return
    assert not missing, sorted(missing)

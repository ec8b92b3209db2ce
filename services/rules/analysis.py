"""AnalyzePosition: what the bots think of a decision. They see what the seat sees and no more."""

from __future__ import annotations

from collections.abc import Iterator

from papamu.rules.v1 import rules_pb2 as pb

from engines import envelope
from engines.core.game import BadInput, Violation
from engines.core.state import Moves
from engines.search.bots import make_bot
from engines.search.budget import Spend
from engines.search.thinker import Line, Thinker, Thought
from services.common.calls import Call
from services.rules.subject import read_decision

METHODS = ("mcts", "greedy", "random")
MAX_SIMULATIONS = 1_000_000
MAX_MILLISECONDS = 60_000
LEAST_REPORT = 50
"""Milliseconds between two reports at least."""
DEFAULT_SIMULATIONS = 1000
CAPACITY = 1 << 17
"""Nodes of a search tree: under 10 MB."""


def analyze(request: pb.AnalyzePositionRequest, call: Call) -> Iterator[pb.AnalyzePositionResponse]:
    """The reports of an analysis; the last one is final. Raises BadInput."""
    method = request.method or METHODS[0]
    _check(request, method)
    observation, state = read_decision(request)
    game = envelope.game_of(state.rules)
    words = envelope.lexicon(state.rules)

    def line(code: int, found: Line | None = None) -> pb.AnalysisLine:
        move = words.moves[code]
        shown = pb.AnalysisLine(
            move=envelope.write_move(state.rules, move), token=game.notation.token(state.rules, move)
        )
        if found is not None:
            shown.visits = found.visits
            shown.values.extend(found.values)
            shown.variation.extend(game.notation.token(state.rules, words.moves[c]) for c in found.variation)
            if found.proven >= 0:
                shown.proven_winner = found.proven
        return shown

    def report(thought: Thought) -> pb.AnalyzePositionResponse:
        shown = thought.lines[: request.lines or None]
        return pb.AnalyzePositionResponse(
            lines=[line(found.code, found) for found in shown],
            simulations=thought.simulations,
            milliseconds=int(1000 * thought.seconds),
        )

    if method != "mcts":
        moves = Moves()
        state.legal(moves)
        code = make_bot(game, method, {}, request.seed, observation.viewer).choose(observation, moves, 0)
        yield pb.AnalyzePositionResponse(lines=[line(code)], final=True)
        return
    thinker = Thinker(game, request.seed, capacity=CAPACITY)
    thoughts = thinker.thoughts(observation, _spend(request), call.is_over, every=request.report_every / 1000)
    last = report(next(thoughts))
    for thought in thoughts:
        yield last
        call.check()
        last = report(thought)
    call.check()
    last.final = True
    yield last


def _spend(request: pb.AnalyzePositionRequest) -> Spend:
    simulations = request.simulations
    if not simulations and not request.milliseconds:
        simulations = DEFAULT_SIMULATIONS
    return Spend(simulations, request.milliseconds / 1000)


def _check(request: pb.AnalyzePositionRequest, method: str) -> None:
    faults = []
    if method not in METHODS:
        faults.append(Violation("method", f"must be one of {', '.join(METHODS)}"))
    if request.simulations > MAX_SIMULATIONS:
        faults.append(Violation("simulations", f"must be at most {MAX_SIMULATIONS}"))
    if request.milliseconds > MAX_MILLISECONDS:
        faults.append(Violation("milliseconds", f"must be at most {MAX_MILLISECONDS}"))
    if 0 < request.report_every < LEAST_REPORT:
        faults.append(Violation("report_every", f"must be 0 or at least {LEAST_REPORT}"))
    if faults:
        raise BadInput(faults)

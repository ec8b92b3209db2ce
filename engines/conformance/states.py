"""Checks of states: declared facts, the end, copies, invariants, points."""

from __future__ import annotations

from collections.abc import Iterator

from engines.conformance.walk import Subject, Visit, games, sampled
from engines.core import ansi
from engines.core.constants import CHANCE, MAX_SEATS, MOVES_CAPACITY, TERMINAL
from engines.core.game import Kind
from engines.core.state import Moves
from engines.editions import editions


def declared_facts(subject: Subject) -> Iterator[str]:
    """Slug, seats, bounds, editions, options and rule ids are what the game says they are."""
    game, facts = subject.game, subject.game.facts
    if list(facts.seats) != sorted(set(facts.seats)) or not 1 <= facts.seats[0] <= facts.seats[-1] <= MAX_SEATS:
        yield f"seats {facts.seats} do not ascend within 1..{MAX_SEATS}"
    if not 1 <= facts.max_legal <= MOVES_CAPACITY:
        yield f"max_legal {facts.max_legal} is not within 1..{MOVES_CAPACITY}"
    for what, names in (("end reasons", facts.end_reasons), ("rule ids", tuple(r.id for r in game.explain.RULES))):
        if not names or len(set(names)) != len(names):
            yield f"{what} lack or are not distinct"
    for rule in game.explain.RULES:
        if not rule.id.startswith(f"{facts.slug}.") or not rule.text or not isinstance(rule.kind, Kind):
            yield f"rule {rule.id} lacks the slug in front, a text or a kind"
    if facts.default_edition not in editions(game):
        yield f"the default edition {facts.default_edition} is not there"
    for edition in editions(game).values():
        defaults = game.edition.options(edition.data, {})
        if list(defaults) != [spec.name for spec in game.edition.OPTIONS]:
            yield f"edition {edition.id}: the defaults are not those of OPTIONS, in their order"
    vocabulary = game.moves.vocabulary(subject.rules(0))
    if len(vocabulary) > 65536:
        yield f"{len(vocabulary)} codes do not fit in 16 bits"


def legal_lists(subject: Subject) -> Iterator[str]:
    """Legal lists ascend without duplicates, are never empty before the end, and stay below the declared bound."""
    bound = subject.game.facts.max_legal
    for walk in games(subject, "legal"):
        for visit in walk:
            codes = visit.codes
            if codes != sorted(set(codes)):
                yield f"{_at(visit)}: the legal list does not ascend: {codes}"
            if (visit.state.actor == TERMINAL) != (not codes):
                yield f"{_at(visit)}: actor {visit.state.actor} with {len(codes)} legal moves"
            if len(codes) > bound:
                yield f"{_at(visit)}: {len(codes)} legal moves, the declared bound is {bound}"
            if visit.state.actor == CHANCE:
                visit.state.weights(visit.moves)
                if visit.codes != codes or min(visit.moves.to_weights()) < 1:
                    yield f"{_at(visit)}: chance outcomes need positive weights"


def ends(subject: Subject) -> Iterator[str]:
    """Random games end, for a declared reason, with points that add up and places that order the seats."""
    facts = subject.game.facts
    for i, walk in enumerate(games(subject, "end")):
        decided = False
        for visit in walk:
            if visit.state.actor == CHANCE and decided and not facts.chance_after_setup:
                yield f"{_at(visit)}: a chance move after the set-up"
            decided = decided or visit.state.actor >= 0
            if visit.state.end_reason() and visit.state.actor != TERMINAL:
                yield f"{_at(visit)}: an end reason while the game runs"
        state = visit.state
        if state.actor != TERMINAL:
            yield f"game {i}: not over after {visit.ply} plies"
            continue
        if i < len(facts.seats) and visit.ply > facts.max_plies:
            yield f"game {i}: {visit.ply} plies, the declared bound is {facts.max_plies}"
        if state.end_reason() not in facts.end_reasons:
            yield f"game {i}: undeclared end reason {state.end_reason()!r}"
        yield from _points(subject, visit)


def _points(subject: Subject, visit: Visit) -> Iterator[str]:
    state = visit.state
    seats = range(state.rules.seats)
    scores, places, teams = state.scores(), state.placements(), state.teams()
    sums = [sum(row.points for row in state.breakdown() if row.seat == s) for s in seats]
    if not len(scores) == len(places) == len(teams) == state.rules.seats:
        yield f"{_at(visit)}: not one score, place and team per seat"
    if sums != scores:
        yield f"{_at(visit)}: the breakdown adds up to {sums}, the scores are {scores}"
    by_team = {team: {places[s] for s in seats if teams[s] == team} for team in teams}
    if any(len(found) != 1 for found in by_team.values()):
        yield f"{_at(visit)}: seats of one team have different places {places}"
    if any(place != 1 + sum(other < place for other in places) for place in places):
        yield f"{_at(visit)}: places {places} are not 1 + the number of better seats"


def frozen_history(subject: Subject) -> Iterator[str]:
    """Copies kept at every decision are unchanged at the end, and playing on a copy does not touch the original."""
    moves = Moves()
    for walk in games(subject, "frozen"):
        kept = []
        for visit in walk:
            copy = visit.state.clone()
            kept.append((copy, copy.key(), visit.ply))
            if copy.key() != visit.state.key():
                yield f"{_at(visit)}: a clone has another key"
            if visit.state.actor != TERMINAL:
                other = visit.state.clone()
                other.legal(moves)
                other.play(moves.to_list()[0])
                if other.key() == copy.key():
                    yield f"{_at(visit)}: a move did not change the state"
                other.copy_from(copy)
                if other.key() != copy.key():
                    yield f"{_at(visit)}: copy_from gives another state"
        for copy, key, ply in kept:
            if copy.key() != key:
                yield f"the copy kept at ply {ply} changed while the game went on"


def invariants(subject: Subject) -> Iterator[str]:
    """Every invariant holds at every ply, and a loaded snapshot is the same state."""
    game = subject.game
    for walk in games(subject, "invariants"):
        for visit in walk:
            snapshot = visit.state.snapshot()
            for violation in game.invariants.check(visit.state.rules, snapshot):
                yield f"{_at(visit)}: {violation.id} {violation.field}: {violation.sentence}"
                return
            if game.rules.load(visit.state.rules, snapshot).key() != visit.state.key():
                yield f"{_at(visit)}: loading the snapshot gives another state"


def pictures_and_values(subject: Subject) -> Iterator[str]:
    """Pictures and evaluations exist for every seat at any time, and the SVG is well-formed XML."""
    from xml.etree import ElementTree

    for visit in sampled(subject, "pictures"):
        for seat in range(visit.state.rules.seats):
            observation = visit.state.observe(seat)
            drawn = subject.game.picture.text(observation)
            if not drawn.strip():
                yield f"{_at(visit)}: no terminal picture for seat {seat}"
            if ansi.plain(subject.game.picture.text(observation, colour=True)) != drawn:
                yield f"{_at(visit)}: colours change the terminal picture of seat {seat}"
            ElementTree.fromstring(subject.game.picture.svg(observation))  # noqa: S314  # our own text
            if not isinstance(subject.game.evaluate.evaluate(visit.state, seat), int):
                yield f"{_at(visit)}: no whole number as value for seat {seat}"


def _at(visit: Visit) -> str:
    return f"{visit.state.rules.setup.key} ply {visit.ply}"


CHECKS = (declared_facts, legal_lists, ends, frozen_history, invariants, pictures_and_values)

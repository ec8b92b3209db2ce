"""What there is to know about the games: made once per process, since nothing of it changes."""

from __future__ import annotations

from functools import cache

from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.envelope_pb2 import RuleKind

from engines import registry
from engines.core.game import Game, OptionSpec
from engines.editions import Edition, editions


def _summary(game: Game) -> pb.GameSummary:
    facts = game.facts
    return pb.GameSummary(slug=facts.slug, name=facts.name, seats=facts.seats, rules_version=facts.rules_version)


def _edition(edition: Edition) -> pb.EditionInfo:
    defaults = {name: _text(value) for name, value in edition.data["defaults"].items()}
    return pb.EditionInfo(id=edition.id, hash=edition.hash, defaults=defaults)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _option(spec: OptionSpec) -> pb.OptionInfo:
    return pb.OptionInfo(
        name=spec.name, kind=spec.kind, about=spec.about, low=spec.low, high=spec.high, choices=spec.choices
    )


@cache
def list_games() -> pb.ListGamesResponse:
    """All games, in the order of the envelope's numbers."""
    return pb.ListGamesResponse(games=[_summary(game) for game in registry.games()])


def get_game(slug: str) -> pb.GetGameResponse:
    """Everything about one game. Raises BadInput for an unknown slug."""
    return _get_game(registry.game(slug).facts.slug)


@cache
def _get_game(slug: str) -> pb.GetGameResponse:
    game = registry.game(slug)
    return pb.GetGameResponse(
        summary=_summary(game),
        editions=[_edition(edition) for edition in editions(game).values()],
        options=[_option(spec) for spec in game.edition.OPTIONS],
        rules=[
            pb.RuleInfo(id=r.id, kind=RuleKind.Name(r.kind), text=r.text, section=r.section) for r in game.explain.RULES
        ],
        end_reasons=game.facts.end_reasons,
        hidden_information=game.facts.hidden,
        lower_score_is_better=game.facts.lower_score_is_better,
    )

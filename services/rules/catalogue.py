"""What there is to know about the games: made once per process, since nothing of it changes."""

from __future__ import annotations

from functools import cache

from papamu.rules.v1 import rules_pb2 as pb
from papamu.rules.v1.envelope_pb2 import RuleKind

from engines import registry
from engines.core.game import Game, OptionSpec, Rule
from engines.editions import Edition, editions
from services.common.errors import NotFound, clip


def _summary(game: Game) -> pb.GameSummary:
    facts = game.facts
    return pb.GameSummary(slug=facts.slug, name=facts.name, seats=facts.seats, rules_version=facts.rules_version)


def _edition(game: Game, edition: Edition) -> pb.EditionInfo:
    defaults = {name: _text(value) for name, value in game.edition.options(edition.data, {}).items()}
    return pb.EditionInfo(id=edition.id, hash=edition.hash, defaults=defaults)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _option(spec: OptionSpec) -> pb.OptionInfo:
    return pb.OptionInfo(
        name=spec.name, kind=spec.kind, about=spec.about, low=spec.low, high=spec.high, choices=spec.choices
    )


def _rule(rule: Rule) -> pb.RuleInfo:
    return pb.RuleInfo(id=rule.id, kind=RuleKind.Name(rule.kind), text=rule.text, section=rule.section)


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
        editions=[_edition(game, edition) for edition in editions(game).values()],
        options=[_option(spec) for spec in game.edition.OPTIONS],
        rules=[_rule(rule) for rule in game.explain.RULES],
        end_reasons=game.facts.end_reasons,
        hidden_information=game.facts.hidden,
        lower_score_is_better=game.facts.lower_score_is_better,
    )


def explain_rule(rule_id: str) -> pb.ExplainRuleResponse:
    """The rule of an id. Raises NotFound."""
    found = _rules().get(rule_id)
    if found is None:
        raise NotFound(f"there is no rule {clip(rule_id, 100)!r}; GetGame lists them")
    return found


@cache
def _rules() -> dict[str, pb.ExplainRuleResponse]:
    return {
        rule.id: pb.ExplainRuleResponse(game=game.facts.slug, rule=_rule(rule))
        for game in registry.games()
        for rule in game.explain.RULES
    }

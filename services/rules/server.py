"""Puts the rules service on a server, for every launcher that hosts it."""

from __future__ import annotations

from papamu.rules.v1.rules_pb2_grpc import add_RulesServiceServicer_to_server

from services.common.server import Server
from services.rules import catalogue
from services.rules.service import RulesService


def add_rules(server: Server) -> None:
    """Adds RulesService. Loads all games and editions first. Raises BadInput when an edition file is not sound."""
    for summary in catalogue.list_games().games:
        catalogue.get_game(summary.slug)
    server.add(add_RulesServiceServicer_to_server, RulesService())

"""Why a Kilauea move is refused: the published rule ids (README section 9).

The conditions are judged on the snapshot, apart from the compiled legal lists; only the look-ahead is shared with them.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.constants import CHANCE, TERMINAL
from engines.core.game import Reason
from engines.core.reasons import reasons_of
from engines.kilauea import moves as m
from engines.kilauea import opening
from engines.kilauea.facts import (
    ADVANCE,
    COPY_REEF,
    DRAFT,
    FACE_LETTERS,
    FACES,
    FELL2,
    FOREST,
    HEART,
    MAIN,
    MAX_PLAYERS,
    NONE,
    OVER,
    PUT_ADJACENT,
    PUT_APART,
    PUT_ISLAND_OTHER,
    PUT_OTHER,
    REEF,
    SECTIONS,
    STAGES,
    STARTER,
    STEP,
    STEP_CODES,
    STEPS,
    SUB,
    TAKE_BACK,
    TIKI,
    TILES,
)
from engines.kilauea.moves import KIND_OF, SPACE_LETTERS, ChanceMove, KilaueaMove, encode
from engines.kilauea.rulebook import BY_ID, RULES
from engines.kilauea.rules import Kilauea
from engines.kilauea.snapshot import Snapshot
from engines.kilauea.tables import KilaueaRules

__all__ = ["RULES", "explain"]

Broken = tuple[str, str, str]
"""Rule id without the slug, field below the move's own message, sentence."""

_STAGES_OF = {
    m.Draft: (DRAFT,),
    m.Advance: (ADVANCE,),
    m.Fell: (MAIN, FELL2),
    m.StopFelling: (FELL2,),
    m.BuildVolcano: (MAIN,),
    m.BuildIsland: (MAIN,),
    m.Use: (SUB,),
    m.EndTurn: (SUB,),
    m.DrawForest: (FOREST,),
    m.DrawTiki: (TIKI,),
    m.DrawReef: (REEF,),
    m.DrawHeart: (HEART,),
    m.DrawStarter: (STARTER,),
}
_STEP_MOVES = (
    m.TakeForest,
    m.TakeVolcano,
    m.TakeVolcano,
    m.TakeIsland,
    m.TakeCanoe,
    m.TakeRival,
    m.TakeRival,
    m.PutVolcano,
    m.PutVolcano,
    m.PutVolcano,
    m.PutVolcano,
    m.PutIsland,
    m.PutIsland,
    m.StealStone,
    m.PlaceSeal,
    m.Copy,
    m.Copy,
)
"""The move that each choosing step asks for."""
assert len(_STEP_MOVES) == len(STEP_CODES)


def explain(state: Kilauea, move: KilaueaMove, sender: int) -> list[Reason]:
    """Every broken rule; empty exactly when the move is legal for `sender`.

    The rules of form and turn come first: the first of them that is broken is reported alone.
    """
    case = _Case(state, sender)
    return reasons_of(BY_ID, "kilauea", KIND_OF[type(move)], case.broken(move))


class _Case:
    """One position as the refusals see it: its snapshot, and the seat that decides."""

    def __init__(self, state: Kilauea, sender: int) -> None:
        self.state = state
        self.sender = sender
        self.s: Snapshot = state.snapshot()
        self.r: KilaueaRules = state.rules
        self.p = self.s.actor
        self.op = NONE
        if self.s.stage == STEP:
            tile = self.s.effect.tile
            self.op = self.r.effect(tile, tile in self.s.flank)[1][self.s.effect.step][0]

    # -- form and turn --------------------------------------------------------------------------------------------

    def broken(self, move: KilaueaMove) -> list[Broken]:
        for stage in (self.over, self.wrong_sender, self.out_of_range, self.wrong_stage, self.wrong_draw):
            found = list(stage(move))
            if found:
                return found
        if isinstance(move, ChanceMove):
            return []
        found = list(self.content(move))
        if not found and self.s.stage == STEP and self.op < COPY_REEF:
            code = encode(self.r, move)
            assert code is not None
            if not self.state.leads_on(code):
                found.append(("effect.dead_end", "", "the rest of the effect could not be carried out"))
        return found

    def over(self, move: KilaueaMove) -> Iterator[Broken]:
        if self.s.stage == OVER:
            yield "game.over", "", "the game is over"

    def wrong_sender(self, move: KilaueaMove) -> Iterator[Broken]:
        if self.p == CHANCE and not isinstance(move, ChanceMove):
            yield "turn.chance", "", "chance is to act"
        elif self.sender != self.p and (self.sender != CHANCE or not isinstance(move, ChanceMove)):
            yield "turn.seat", "sender", f"{_who(self.sender)} moves, but {_who(self.p)} is to decide"

    def out_of_range(self, move: KilaueaMove) -> Iterator[Broken]:
        bounds = {
            "section": (0, SECTIONS - 1),
            "slot": (0, SECTIONS - 1),
            "seat": (0, MAX_PLAYERS - 1),
            "board": (1, FACES // 2),
            "tile": (1, TILES),
            "distance": (1, self.r.max_distance),
            "stones": (0, self.r.volcano_stones_max),
        }
        sound = True
        for name in move.__dataclass_fields__:
            if name in bounds:
                low, high = bounds[name]
                if not low <= getattr(move, name) <= high:
                    sound = False
                    yield "param.range", name, f"{name} must be {low} to {high}"
        colour = getattr(move, "colour", self.r.colours[0])
        if colour not in self.r.colours:
            yield "param.range", "colour", f"{colour} is no colour of the edition"
        space = getattr(move, "space", None)
        if space is not None and sound:
            face = self.s.boards[getattr(move, "section", self.here())]
            spaces = SPACE_LETTERS[: self.r.longest_face] if face == NONE else self.r.face(face).spaces
            if space not in spaces:
                yield "param.range", "space", f"the forest there has no space {space}"

    def wrong_stage(self, move: KilaueaMove) -> Iterator[Broken]:
        if isinstance(move, ChanceMove):
            return
        if self.s.stage == STEP:
            if type(move) is not _STEP_MOVES[self.op]:
                yield "turn.stage", "", f"the effect of tile {self.s.effect.tile} waits for {STEPS[self.op]}"
        elif self.s.stage not in _STAGES_OF.get(type(move), ()):
            yield "turn.stage", "", f"{type(move).__name__} does not belong to {STAGES[self.s.stage]}"

    def wrong_draw(self, move: KilaueaMove) -> Iterator[Broken]:
        if not isinstance(move, ChanceMove):
            return
        if self.p != CHANCE:
            yield "chance.kind", "", f"{_who(self.p)} is to decide"
            return
        if self.s.stage not in _STAGES_OF[type(move)]:
            yield "chance.kind", "", f"{type(move).__name__} does not belong to {STAGES[self.s.stage]}"
            return
        at = opening.cursor(self.r, self.s)
        match move:
            case m.DrawForest(section, board, face):
                number = 2 * (board - 1) + FACE_LETTERS.index(face)
                if section != at:
                    yield "chance.kind", "section", f"the board of section {at} is due"
                elif self.r.weight_of(number) == 0:
                    yield "chance.outcome", "face", f"the option faces excludes {board}{face}"
                elif any(lying // 2 == board - 1 for lying in self.s.boards):
                    yield "chance.outcome", "board", f"board {board} lies already"
            case m.DrawTiki(section, space, colour):
                due = at // 12, SPACE_LETTERS[at % 12]
                if (section, space) != due:
                    yield "chance.kind", "space", f"space {due[1]} of section {due[0]} is due"
                elif self.s.pool[self.r.colours.index(colour)] == 0:
                    yield "chance.outcome", "colour", f"no tiki {colour} is left to be laid out"
            case m.DrawReef(place, tile) | m.DrawHeart(place, tile):
                if place != at:
                    yield "chance.kind", "", f"place {at} is due"
                elif tile in self.s.reef or tile in self.s.heart:
                    yield "chance.outcome", "tile", f"tile {tile} lies already"
            case m.DrawStarter(seat):
                if seat >= self.r.seats:
                    yield "chance.outcome", "seat", f"there are {self.r.seats} seats"

    # -- questions of README section 5.0 --------------------------------------------------------------------------

    def here(self) -> int:
        """The section of the canoe pawn."""
        return self.r.canoe_space(self.s.canoe)[0]

    def column(self, colour: str) -> int:
        column: int = self.r.colours.index(colour)
        return column

    def closed(self, t: int, x: int) -> bool:
        before = self.r.face(self.s.boards[t]).before[x]
        return any(c != NONE and before >> i & 1 for i, c in enumerate(self.s.forests[t]))

    def sealed(self, t: int, c: int) -> bool:
        return (t, c) in self.s.seals

    def cost(self, distance: int) -> int:
        free: int = self.r.canoe_tikis - sum(self.s.tikis[self.p])
        return max(0, distance - 1 - free)

    def affordable(self) -> list[int]:
        return [d for d in range(1, self.r.max_distance + 1) if self.cost(d) <= self.s.stones[self.p]]

    def main_possible(self, distance: int) -> bool:
        """5.2: whether a main move exists after paying for a distance and moving."""
        lane = [space for space in range(self.r.track_length) if self.r.canoe_space(space)[2]]
        t = self.r.canoe_space(lane[(lane.index(self.s.canoe) + distance) % len(lane)])[0]
        tikis = self.s.tikis[self.p]
        if sum(tikis) < self.r.canoe_tikis and any(
            c != NONE and not self.closed(t, x) for x, c in enumerate(self.s.forests[t])
        ):
            return True
        if any(n and not list(self.full_pillar("", t, c)) and not self.sealed(t, c) for c, n in enumerate(tikis)):
            return True
        rich = self.s.stones[self.p] - self.cost(distance) >= self.r.island_cost
        return rich and sum(tikis) > 0 and sum(self.s.islands[self.p][t]) < self.r.pillar_height

    # -- the rules of each kind of move ---------------------------------------------------------------------------

    def content(self, move: KilaueaMove) -> Iterator[Broken]:
        match move:
            case m.Draft(t, colour):
                yield from self.empty_pillar("draft.pillar", t, self.column(colour))
            case m.Advance(distance):
                yield from self.advance(distance)
            case m.Fell(space):
                if sum(self.s.tikis[self.p]) >= self.r.canoe_tikis:
                    yield "fell.canoe.full", "", f"the canoe holds {self.r.canoe_tikis} tikis"
                yield from self.forest("fell.space.empty", "fell.path.closed", self.here(), space)
            case m.BuildVolcano(colour, stones):
                yield from self.build_volcano(self.column(colour), stones)
            case m.BuildIsland(colour):
                yield from self.build_island(self.column(colour))
            case m.Use(tile):
                if tile not in self.s.pending:
                    yield "use.not_offered", "tile", f"tile {tile} is not on offer"
                else:
                    yield from self.carry_out("use", tile)
            case m.Copy(tile):
                yield from self.copy(tile)
            case m.TakeForest(t, space):
                yield from self.forest("take.forest.empty", "take.forest.path", t, space)
            case m.TakeVolcano(t, colour):
                yield from self.take_volcano(t, self.column(colour))
            case m.TakeIsland(t, colour):
                if self.s.islands[self.p][t][self.column(colour)] == 0:
                    yield "take.island.absent", "colour", f"island section {t} holds no tiki {colour}"
            case m.TakeCanoe(colour):
                if self.s.tikis[self.p][self.column(colour)] == 0:
                    yield "take.canoe.absent", "colour", f"the canoe holds no tiki {colour}"
            case m.TakeRival(seat, colour):
                other = list(self.rival(seat))
                yield from other
                if not other and self.s.tikis[seat][self.column(colour)] == 0:
                    yield "rival.absent", "colour", f"the canoe of seat {seat} holds no tiki {colour}"
            case m.StealStone(seat):
                other = list(self.rival(seat))
                yield from other
                if not other and self.s.stones[seat] == 0:
                    yield "rival.no_stone", "seat", f"the canoe of seat {seat} holds no stone"
            case m.PutVolcano(t):
                yield from self.put_volcano(t)
            case m.PutIsland(t):
                if sum(self.s.islands[self.p][t]) >= self.r.pillar_height:
                    yield "put.island.high", "section", f"island section {t} is full"
                if self.op == PUT_ISLAND_OTHER and t == self.s.effect.home_section:
                    yield "put.island.same", "section", f"the tiki came from island section {t}"
            case m.PlaceSeal(t, colour):
                c = self.column(colour)
                yield from self.empty_pillar("seal.pillar", t, c)
                if self.sealed(t, c):
                    yield "seal.pillar.same", "colour", "the pillar bears a seal already"

    def empty_pillar(self, head: str, t: int, c: int) -> Iterator[Broken]:
        if not self.r.pillar_space(t, c):
            yield f"{head}.none", "colour", f"section {t} has no pillar space {self.r.colours[c]}"
        elif self.s.pillars[t][c] == 0:
            yield f"{head}.empty", "colour", f"pillar {self.r.colours[c]} of section {t} holds no tiki"

    def full_pillar(self, head: str, t: int, c: int) -> Iterator[Broken]:
        field = "colour" if head == "volcano.build" else "section"
        if not self.r.pillar_space(t, c):
            yield f"{head}.none", field, f"section {t} has no pillar space {self.r.colours[c]}"
        elif self.s.pillars[t][c] >= self.r.pillar_height:
            yield f"{head}.high", field, f"pillar {self.r.colours[c]} of section {t} is full"

    def forest(self, empty: str, path: str, t: int, space: str) -> Iterator[Broken]:
        x = SPACE_LETTERS.index(space)
        if self.s.forests[t][x] == NONE:
            yield empty, "space", f"space {space} of forest {t} holds no tiki"
        if self.closed(t, x):
            yield path, "space", f"a tiki stands between the shore and space {space} of forest {t}"

    def advance(self, distance: int) -> Iterator[Broken]:
        cost, stones = self.cost(distance), self.s.stones[self.p]
        if cost > stones:
            yield "advance.stones.short", "distance", f"{distance} spaces cost {cost} stones, the canoe holds {stones}"
        elif not self.main_possible(distance) and any(map(self.main_possible, self.affordable())):
            yield "advance.main.impossible", "distance", "no main action is possible there, but elsewhere one is"

    def build_volcano(self, c: int, stones: int) -> Iterator[Broken]:
        t = self.here()
        if self.s.tikis[self.p][c] == 0:
            yield "volcano.build.absent", "colour", f"the canoe holds no tiki {self.r.colours[c]}"
        yield from self.full_pillar("volcano.build", t, c)
        if self.sealed(t, c):
            yield "volcano.build.sealed", "colour", "the pillar bears a seal"
        if stones > self.s.crater:
            yield "volcano.stones.crater", "stones", f"the crater holds {self.s.crater}"
        room = self.r.canoe_stones - self.s.stones[self.p]
        if stones > room:
            yield "volcano.stones.canoe", "stones", f"the canoe has room for {room}"

    def build_island(self, c: int) -> Iterator[Broken]:
        if self.s.tikis[self.p][c] == 0:
            yield "island.build.absent", "colour", f"the canoe holds no tiki {self.r.colours[c]}"
        if self.s.stones[self.p] < self.r.island_cost:
            yield "island.build.stones", "", f"it costs {self.r.island_cost}, the canoe holds {self.s.stones[self.p]}"
        if sum(self.s.islands[self.p][self.here()]) >= self.r.pillar_height:
            yield "island.build.high", "", f"island section {self.here()} is full"

    def carry_out(self, head: str, tile: int) -> Iterator[Broken]:
        cost = self.r.effect(tile, tile not in self.s.reef)[0]
        if cost > self.s.stones[self.p]:
            yield f"{head}.stones", "tile", f"it costs {cost}, the canoe holds {self.s.stones[self.p]}"
        elif not self.state.executable(tile):
            yield f"{head}.dead", "tile", f"the effect of tile {tile} cannot be carried out in full"

    def copy(self, tile: int) -> Iterator[Broken]:
        if tile == self.s.effect.tile:
            yield "copy.self", "tile", f"tile {tile} is the one that copies"
        elif self.op == COPY_REEF and tile not in self.s.reef:
            yield "copy.not_reef", "tile", f"tile {tile} is no reef tile"
        elif tile in self.s.heart:
            yield "copy.locked", "tile", f"tile {tile} still lies in a forest"
        else:
            yield from self.carry_out("copy", tile)

    def take_volcano(self, t: int, c: int) -> Iterator[Broken]:
        yield from self.empty_pillar("take.volcano", t, c)
        if self.sealed(t, c):
            yield "take.volcano.sealed", "colour", "the pillar bears a seal"
        if self.op == TAKE_BACK:
            put = self.s.effect
            if t != put.put_section:
                yield "take.volcano.section", "section", f"the first tiki went to section {put.put_section}"
            if c == put.put_colour:
                yield "take.volcano.colour", "colour", "the first tiki had this colour"

    def rival(self, seat: int) -> Iterator[Broken]:
        if seat >= self.r.seats:
            yield "rival.no_seat", "seat", f"there are {self.r.seats} seats"
        elif seat == self.p:
            yield "rival.self", "seat", "is the own seat"

    def put_volcano(self, t: int) -> Iterator[Broken]:
        c = self.s.effect.hand
        yield from self.full_pillar("put.volcano", t, c)
        if self.sealed(t, c):
            yield "put.volcano.sealed", "section", "the pillar bears a seal"
        apart = (t - self.s.effect.home_section) % SECTIONS
        allowed = {PUT_ADJACENT: (1, 4), PUT_APART: (2, 3), PUT_OTHER: (1, 2, 3, 4)}.get(self.op)
        if allowed is not None and apart not in allowed:
            home = self.s.effect.home_section
            yield "put.volcano.relation", "section", f"section {t} does not lie to section {home} as the effect demands"


def _who(actor: int) -> str:
    return {CHANCE: "chance", TERMINAL: "nobody"}.get(actor, f"seat {actor}")

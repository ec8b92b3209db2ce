"""Eruption: who is to decide, and the legal moves and chance outcomes (README sections 5.3 and 6)."""

from __future__ import annotations

from engines.core.constants import CHANCE, TERMINAL
from engines.core.state import Moves
from engines.eruption.board import Board
from engines.eruption.facts import (
    ACTION,
    AFTERSHOCK,
    AFTERSHOCK_CARD,
    BOMB,
    BOMB_CARD,
    BUILD,
    BUILD_CODE,
    CARD_DRAW,
    CLANS,
    DAMAGE_ROLL,
    DEAL,
    DEAL_CODE,
    DISCARD,
    DISCARD_CODE,
    DRAW_CARD_CODE,
    DRAW_TILE_CODE,
    END_ACTIONS_CODE,
    END_BUILD_CODE,
    ERUPTION_PLACE,
    EXTRA_TILE,
    FLOW_SITES,
    GIVE_CARD_CODE,
    GIVE_WALL_CODE,
    HEXES,
    LAVA_FLOW_CARD,
    NONE,
    OVER,
    PAIR_CODE,
    PICK_CODE,
    PLACE_CODE,
    PLACE_ERUPTION_CODE,
    PLAY_CODE,
    QUAKE_CARD,
    QUAKE_PLACE,
    RAIN_CARD,
    REINFORCE,
    RELOCATE,
    RELOCATE_CARD,
    RELOCATE_CODE,
    REMOVE_TILE_CODE,
    REMOVE_WALL_CODE,
    REPLACE_CODE,
    REVEAL,
    REVEAL_CODE,
    ROLL_CODE,
    ROTATE_CODE,
    SINKHOLE,
    SINKHOLE_CARD,
    SITES,
    SKIP_EXTRA_CODE,
    STARTER,
    STARTER_CODE,
    TAKE_EXTRA_CODE,
    TILE_DRAW,
    TILE_PICK,
    TILE_PLACE,
    TILE_ROLL,
    TRADE_CODE,
)


class Legal(Board):
    """What may be done next."""

    def c_actor(self) -> int:
        phase = self.d.phase
        if phase <= DAMAGE_ROLL or phase == TILE_DRAW or phase == TILE_ROLL or phase == CARD_DRAW:
            return CHANCE
        return TERMINAL if phase == OVER else self.d.turn_seat

    def c_legal(self, out: Moves) -> None:
        phase = self.d.phase
        out.n = 0
        if phase == DEAL:
            self.c_deck(out, DEAL_CODE + 8 * self.c_dealt_seat())
        elif phase == STARTER:
            self.c_range(out, STARTER_CODE, self.rules.seats)
        elif phase == REVEAL:
            self.c_reveals(out)
        elif phase == DAMAGE_ROLL or phase == TILE_ROLL:
            self.c_range(out, ROLL_CODE, 36)
        elif phase == ERUPTION_PLACE:
            self.c_eruptions(out)
        elif phase == TILE_DRAW:
            self.c_draws(out)
        elif phase == TILE_PICK:
            self.c_picks(out)
        elif phase == TILE_PLACE:
            self.c_placements(out)
        elif phase == EXTRA_TILE:
            out.code[0] = TAKE_EXTRA_CODE
            out.code[1] = SKIP_EXTRA_CODE
            out.n = 2
        elif phase == CARD_DRAW:
            self.c_deck(out, DRAW_CARD_CODE + 8 * self.d.turn_seat)
        elif phase == ACTION:
            self.c_actions(out)
        elif phase == AFTERSHOCK:
            self.c_turnings(out)
        elif phase == SINKHOLE:
            self.c_removals(out)
        elif phase == BOMB:
            self.c_bombs(out)
        elif phase == RELOCATE:
            self.c_relocations(out)
        elif phase == REINFORCE:
            self.c_builds(out, False)
        elif phase == QUAKE_PLACE:
            self.c_replacements(out)
        elif phase == BUILD:
            self.c_builds(out, True)
        elif phase == DISCARD:
            self.c_cards(out, DISCARD_CODE, self.d.turn_seat)

    def c_range(self, out: Moves, first: int, count: int) -> None:
        for i in range(count):
            out.code[i] = first + i
        out.n = count

    # -- cards and piles ------------------------------------------------------------------------------------------

    def c_cards(self, out: Moves, first: int, seat: int) -> None:
        n = 0
        for c in range(8):
            if self.d.hand_cards[seat][c] > 0:
                out.code[n] = first + c
                n += 1
        out.n = n

    def c_deck(self, out: Moves, first: int) -> None:
        n = 0
        for c in range(8):
            if self.d.deck[c] > 0:
                out.code[n] = first + c
                n += 1
        out.n = n

    def c_dealt_seat(self) -> int:
        """The seat that gets the next card of the deal."""
        s = 0
        while self.d.hand_size[s] >= self.rules.hand_start:
            s += 1
        return s

    def c_bare_pile(self) -> int:
        """The first pile that has tiles and no top; NONE when there is none."""
        for p in range(3):
            if self.d.pile_size[p] > 0 and self.d.pile_top[p] < 0:
                return p
        return NONE

    def c_reveals(self, out: Moves) -> None:
        first = REVEAL_CODE + 16 * self.c_bare_pile()
        kinds = self.c_candidates() if self.d.reveal_restricted else 65535
        n = 0
        for k in range(self.rules.source):
            if self.d.stack[k] > 0 and kinds >> k & 1:
                out.code[n] = first + k
                n += 1
        out.n = n

    def c_draws(self, out: Moves) -> None:
        kinds = self.c_candidates()
        n = 0
        for k in range(self.rules.source):
            if kinds >> k & 1:
                out.code[n] = DRAW_TILE_CODE + k
                n += 1
        out.n = n

    def c_picks(self, out: Moves) -> None:
        kinds = self.c_candidates()
        n = 0
        for p in range(3):
            if self.d.pile_top[p] >= 0 and kinds >> self.d.pile_top[p] & 1:
                out.code[n] = PICK_CODE + p
                n += 1
        out.n = n

    # -- tiles ----------------------------------------------------------------------------------------------------

    def c_eruptions(self, out: Moves) -> None:
        n = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] < 0 and self.c_rotations(h, self.rules.source):
                out.code[n] = PLACE_ERUPTION_CODE + h
                n += 1
        out.n = n

    def c_placements(self, out: Moves) -> None:
        n = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] < 0 and self.d.facing[h] and not self.d.held >> h & 1:
                rots = self.c_rotations(h, self.d.tile)
                for rot in range(6):
                    if rots >> rot & 1:
                        out.code[n] = PLACE_CODE + 6 * h + rot
                        n += 1
        out.n = n

    def c_turns_of(self, h: int) -> int:
        """The rotations an Aftershock may give the tile on `h`; a symmetric tile may come back to the same picture."""
        rots = self.c_rotations(h, self.d.kind[h])
        if self.rules.t.period[self.d.kind[h]] == 6:
            rots &= ~(1 << self.d.rot[h])
        return rots

    def c_turnings(self, out: Moves) -> None:
        n = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] >= 0:
                rots = self.c_turns_of(h)
                for rot in range(6):
                    if rots >> rot & 1:
                        out.code[n] = ROTATE_CODE + 6 * h + rot
                        n += 1
        out.n = n

    def c_replacements(self, out: Moves) -> None:
        """Only taking out a source can cut something off: a tile that fits has the links of the old one."""
        n = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] >= 0:
                rots = self.c_rotations(h, self.d.tile)
                if rots and (self.d.kind[h] != self.rules.source or self.c_connected(NONE, h)):
                    for rot in range(6):
                        if rots >> rot & 1:
                            out.code[n] = REPLACE_CODE + 6 * h + rot
                            n += 1
        out.n = n

    def c_removals(self, out: Moves) -> None:
        n = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] >= 0 and (self.c_is_end(h) or self.c_connected(h, NONE)):
                out.code[n] = REMOVE_TILE_CODE + h
                n += 1
        out.n = n

    # -- walls ----------------------------------------------------------------------------------------------------

    def c_bombs(self, out: Moves) -> None:
        n = 0
        for s in range(SITES):
            if self.d.wall[s] > 0:
                out.code[n] = REMOVE_WALL_CODE + s
                n += 1
        out.n = n

    def c_relocations(self, out: Moves) -> None:
        """From left to right; room must remain for the walls that are still to come."""
        left = 0
        for m in range(3):
            left += self.d.tray[m]
        first = 7 * self.rules.t.village[self.d.turn_seat] - 1
        n = 0
        for e in range(self.d.tray_edge + 1, 8):
            if 7 - e >= left - 1:
                for m in range(3):
                    if self.d.tray[m] > 0:
                        out.code[n] = RELOCATE_CODE + 3 * (first + e) + m
                        n += 1
        out.n = n

    def c_builds_at(self, out: Moves, n: int, site: int) -> int:
        for m in range(3):
            if self.d.hand_walls[self.d.turn_seat][m] > 0:
                out.code[n] = BUILD_CODE + 3 * site + m
                n += 1
        return n

    def c_builds(self, out: Moves, may_end: bool) -> None:
        n = 0
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] >= 0:
                free = self.c_open_flows(h)
                for d in range(6):
                    if free >> d & 1:
                        n = self.c_builds_at(out, n, 6 * h + d)
        for h in range(HEXES, 67):
            free = self.c_open_mouths(h)
            for d in range(6):
                if free >> d & 1:
                    n = self.c_builds_at(out, n, 6 * h + d)
        village = self.rules.t.village[self.d.turn_seat]
        for e in range(7):
            if self.c_wall_at(village, e) == 0:
                n = self.c_builds_at(out, n, FLOW_SITES + 7 * village + e)
        if may_end:
            out.code[n] = END_BUILD_CODE
            n += 1
        out.n = n

    # -- actions --------------------------------------------------------------------------------------------------

    def c_can_turn(self) -> bool:
        for h in range(self.rules.n_hexes):
            if self.d.kind[h] >= 0 and self.c_turns_of(h):
                return True
        return False

    def c_walled_village(self, seat: int) -> bool:
        village = self.rules.t.village[seat]
        for e in range(7):
            if self.c_wall_at(village, e) > 0:
                return True
        return False

    def c_can_play(self, card: int) -> bool:
        """Whether a card of the hand would have an effect."""
        seat = self.d.turn_seat
        if card == AFTERSHOCK_CARD:
            return self.c_can_turn()
        if card == QUAKE_CARD:
            return self.c_replaceable(self.c_avail()) != 0
        if card == SINKHOLE_CARD:  # a tile that lava reaches last can always go
            return self.c_tiles() > 0
        if card == RAIN_CARD:
            return self.d.temp[seat] > 0
        if card == BOMB_CARD:
            return self.d.walls > 0
        if card == LAVA_FLOW_CARD:
            return self.c_can_add_tile()
        if card == RELOCATE_CARD:
            return self.c_walled_village(seat)
        return self.c_pieces_of(seat) > 0 and self.c_has_site(seat)

    def c_can_trade(self, card: int) -> bool:
        m = self.rules.t.card_wall[card]
        while m >= 0:
            if self.d.stock[m] > 0:
                return True
            m = self.rules.t.weaker[m]
        return False

    def c_actions(self, out: Moves) -> None:
        seat = self.d.turn_seat
        out.code[0] = END_ACTIONS_CODE
        n = 1
        for c in range(8):
            if self.d.hand_cards[seat][c] > 0 and self.c_can_play(c):
                out.code[n] = PLAY_CODE + c
                n += 1
        for c in range(8):
            if self.d.hand_cards[seat][c] > 0 and self.c_can_trade(c):
                out.code[n] = TRADE_CODE + c
                n += 1
        if self.d.hand_size[seat] > 1 and self.c_can_add_tile():
            for c in range(8):
                if self.d.hand_cards[seat][c] > 0:
                    for e in range(c, 8):
                        if self.d.hand_cards[seat][e] > (e == c):
                            out.code[n] = PAIR_CODE + 8 * c + e
                            n += 1
        out.n = n
        if self.rules.mode == CLANS:
            self.c_gifts(out)

    def c_gifts(self, out: Moves) -> None:
        seat = self.d.turn_seat
        n = out.n
        for s in range(self.rules.seats):
            if s != seat and self.rules.t.team[s] == self.rules.t.team[seat]:
                for i in range(3):
                    if self.d.hand_walls[seat][i] > 0:
                        out.code[n] = GIVE_WALL_CODE + 3 * s + i
                        n += 1
        for s in range(self.rules.seats):
            if s != seat and self.rules.t.team[s] == self.rules.t.team[seat]:
                for i in range(8):
                    if self.d.hand_cards[seat][i] > 0:
                        out.code[n] = GIVE_CARD_CODE + 8 * s + i
                        n += 1
        out.n = n

    # -- chance ---------------------------------------------------------------------------------------------------

    def c_weights(self, out: Moves) -> None:
        phase = self.d.phase
        for i in range(out.n):
            if phase == DEAL or phase == CARD_DRAW:
                out.weight[i] = self.d.deck[(out.code[i] - (DEAL_CODE if phase == DEAL else DRAW_CARD_CODE)) % 8]
            elif phase == REVEAL:
                out.weight[i] = self.d.stack[(out.code[i] - REVEAL_CODE) % 16]
            elif phase == TILE_DRAW:
                out.weight[i] = self.d.stack[out.code[i] - DRAW_TILE_CODE]
            else:
                out.weight[i] = 1

"""Eruption: the effects of the moves, and the doors for Python callers. Section numbers are those of README.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import cython

from engines.core.game import BadInput, BreakdownRow, Setup
from engines.core.rng import draw
from engines.core.state import State
from engines.eruption import invariants
from engines.eruption.edition import check_seats
from engines.eruption.facts import (
    AFTERSHOCK,
    AFTERSHOCK_CARD,
    ANNIHILATION,
    BOMB,
    BOMB_CARD,
    BUILD,
    BUILD_CODE,
    DAMAGE_ROLL,
    DEAL,
    DEAL_CODE,
    DISCARD_CODE,
    DRAW_CARD_CODE,
    DRAW_TILE_CODE,
    END_ACTIONS_CODE,
    END_BUILD_CODE,
    FACTS,
    FLOW_SITES,
    FOR_CARD,
    FOR_PAIR,
    FOR_QUAKE,
    FOR_ZONE,
    GIVE_CARD_CODE,
    GIVE_WALL_CODE,
    HEXES,
    LAVA_FLOW_CARD,
    NO_PURPOSE,
    NONE,
    ONE,
    OVER,
    PAIR_CODE,
    PICK_CODE,
    PLACE_CODE,
    PLAY_CODE,
    PLY_LIMIT,
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
    REVEAL_CODE,
    ROLL_CODE,
    ROTATE_CODE,
    ROW,
    SINKHOLE,
    SINKHOLE_CARD,
    SITES,
    SKIP_EXTRA_CODE,
    STARTER,
    STARTER_CODE,
    TAKE_EXTRA_CODE,
    TILE_PLACE,
    TILE_ROLL,
    TO_ACTIONS,
    TO_PLACE,
    TO_SETUP,
    TO_TILES,
    TRADE_CODE,
    USED,
)
from engines.eruption.snapshot import Snapshot, Table
from engines.eruption.tables import EruptionRules
from engines.eruption.turn import Turn

if TYPE_CHECKING:
    from engines.eruption.observe import EruptionObservation


class Eruption(Turn):
    """One position of Eruption."""

    # -- the hot path ---------------------------------------------------------------------------------------------

    def c_start(self) -> None:
        """Section 4: the box laid out; cards, starter and the tops of the piles are still to be drawn."""
        self.c_clear_board()
        for m in range(3):
            self.d.stock[m] = self.rules.t.pieces[m] - self.rules.seats * self.rules.t.walls_start[m]
            self.d.tray[m] = 0
            self.d.eruption[m] = ROW
            self.d.pile_size[m] = self.rules.t.pile_size[m]
            self.d.pile_top[m] = NONE
        for s in range(6):
            self.d.temp[s] = 0
            self.d.hand_size[s] = 0
            self.d.burnt[s] = 0
            self.d.burn_order[s] = 0
            for m in range(3):
                self.d.hand_walls[s][m] = self.rules.t.walls_start[m] if s < self.rules.seats else 0
            for c in range(8):
                self.d.hand_cards[s][c] = 0
        self.d.deck_size = 0
        self.d.discard_size = 0
        for c in range(8):
            self.d.deck[c] = self.rules.t.card_count[c]
            self.d.deck_size += self.rules.t.card_count[c]
            self.d.card_discard[c] = 0
        self.d.stack_size = 0
        for k in range(16):
            self.d.tile_discard[k] = 0
            self.d.stack[k] = self.rules.t.tile_count[k] if k < self.rules.source else 0
            self.d.stack_size += self.d.stack[k]
        self.d.ply = 0
        self.d.turn_seat = 0
        self.d.final_left = 0
        self.d.final_out = NONE
        self.d.n_burnt = 0
        self.d.turn_quiet = 1
        self.d.quiet_turns = 0
        self.d.reason = NO_PURPOSE
        self.c_drop_tile()
        self.d.draws_left = 0
        self.d.resume = 0
        self.d.tray_edge = 0
        self.d.builds_done = 0
        self.d.reveal_resume = 0
        self.d.reveal_restricted = 0
        self.d.ended_by = 0
        self.d.phase = DEAL

    def c_apply(self, code: int) -> None:
        self.d.ply += 1
        if code < DEAL_CODE:
            self.c_seat_move(code)
        else:
            self.c_chance(code)
        if self.d.ply == self.rules.ply_limit and self.d.phase != OVER:
            self.c_finish(PLY_LIMIT)

    def c_seat_move(self, code: int) -> None:
        """Section 5.3."""
        seat = self.d.turn_seat
        if code < TAKE_EXTRA_CODE or ROTATE_CODE <= code < REMOVE_WALL_CODE:
            self.c_tile_move(code)
        elif code == TAKE_EXTRA_CODE:
            self.c_start_placement(FOR_ZONE)
        elif code == SKIP_EXTRA_CODE:
            self.c_action_start()
        elif code == END_ACTIONS_CODE:
            self.c_build_loop()
        elif code < TRADE_CODE:
            self.c_play(code - PLAY_CODE)
        elif code < PAIR_CODE:
            self.c_trade(code - TRADE_CODE)
        elif code < GIVE_WALL_CODE:
            self.c_discard_card(seat, (code - PAIR_CODE) // 8)
            self.c_discard_card(seat, (code - PAIR_CODE) % 8)
            self.c_start_placement(FOR_PAIR)
        elif code < GIVE_CARD_CODE:
            self.d.hand_walls[seat][(code - GIVE_WALL_CODE) % 3] -= 1
            self.d.hand_walls[(code - GIVE_WALL_CODE) // 3][(code - GIVE_WALL_CODE) % 3] += 1
            self.c_action_loop()
        elif code < ROTATE_CODE:
            self.d.hand_cards[seat][(code - GIVE_CARD_CODE) % 8] -= 1
            self.d.hand_size[seat] -= 1
            self.d.hand_cards[(code - GIVE_CARD_CODE) // 8][(code - GIVE_CARD_CODE) % 8] += 1
            self.d.hand_size[(code - GIVE_CARD_CODE) // 8] += 1
            self.c_action_loop()
        elif code < RELOCATE_CODE:
            self.c_unwall(code - REMOVE_WALL_CODE)
            self.c_action_loop()
        elif code < BUILD_CODE:
            self.c_relocate(code - RELOCATE_CODE)
        elif code < END_BUILD_CODE:
            self.c_build(code - BUILD_CODE)
        elif code == END_BUILD_CODE:
            self.c_discard_loop()
        else:
            self.c_discard_card(seat, code - DISCARD_CODE)
            self.c_discard_loop()

    def c_tile_move(self, code: int) -> None:
        if code < PICK_CODE:
            self.c_erupt(code)
        elif code < PLACE_CODE:
            self.c_pick(code - PICK_CODE)
        elif code < TAKE_EXTRA_CODE:
            self.c_place_tile(code - PLACE_CODE)
        elif code < REMOVE_TILE_CODE:
            self.c_turn_tile(code - ROTATE_CODE)
        elif code < REPLACE_CODE:
            self.c_remove_tile(code - REMOVE_TILE_CODE)
        else:
            self.c_replace_tile(code - REPLACE_CODE)

    def c_erupt(self, h: int) -> None:
        """The walls round an eruption tile fall without dice, and the villages outside the team heat up."""
        seat = self.d.turn_seat
        self.d.eruption[self.c_held_tile(seat)] = USED
        self.c_unwall_round(h)
        n = self.c_put(h, self.rules.source, 0)
        for k in range(1, self.rules.seats):
            s = (seat + k) % self.rules.seats
            if self.rules.t.team[s] != self.rules.t.team[seat]:
                self.c_heat(s, self.rules.eruption_heat)
        self.c_draw_cards(n, TO_TILES)

    def c_pick(self, p: int) -> None:
        self.d.tile = self.d.pile_top[p]
        self.d.tile_pile = p
        self.d.pile_size[p] -= 1
        self.d.pile_top[p] = NONE
        self.c_refill()
        self.d.reveal_resume = TO_PLACE
        self.c_reveal_step()

    def c_place_tile(self, target: int) -> None:
        """Dice decide when every flow that leads to the hex is walled."""
        h = target // 6
        self.d.target = target
        walls = self.c_walls_round(h)
        if walls == 0 or walls != self.d.facing[h]:
            self.c_settle()
        else:
            self.d.phase = TILE_ROLL
            self.d.roll_pos = self.c_first_bit(walls, 0)

    def c_first_bit(self, edges: int, first: int) -> int:
        """The lowest direction of a set from `first` on; NONE when there is none."""
        for d in range(first, 6):
            if edges >> d & 1:
                return d
        return NONE

    def c_play(self, card: int) -> None:
        seat = self.d.turn_seat
        self.c_discard_card(seat, card)
        if card == AFTERSHOCK_CARD:
            self.d.phase = AFTERSHOCK
        elif card == QUAKE_CARD:
            self.c_start_placement(FOR_QUAKE)
        elif card == SINKHOLE_CARD:
            self.d.phase = SINKHOLE
        elif card == RAIN_CARD:
            temp = self.d.temp[seat] - self.rules.rain
            self.d.temp[seat] = max(0, temp)
            self.c_action_loop()
        elif card == BOMB_CARD:
            self.d.phase = BOMB
        elif card == LAVA_FLOW_CARD:
            self.c_start_placement(FOR_CARD)
        elif card == RELOCATE_CARD:
            self.c_lift_walls()
            self.d.phase = RELOCATE
        else:
            self.d.phase = REINFORCE

    def c_lift_walls(self) -> None:
        v = self.rules.t.village[self.d.turn_seat]
        for e in range(7):
            site = FLOW_SITES + 7 * v + e
            if self.d.wall[site] > 0:
                self.d.tray[self.c_take_wall(site)] += 1

    def c_trade(self, card: int) -> None:
        self.c_discard_card(self.d.turn_seat, card)
        self.c_gain(self.d.turn_seat, self.rules.t.card_wall[card])
        self.c_action_loop()

    def c_turn_tile(self, target: int) -> None:
        h = target // 6
        kind = self.d.kind[h]
        before = self.c_touched(h)
        self.c_unwall_tile(h)
        self.c_lift(h)
        self.c_lay(h, kind, target % 6)
        self.d.turn_quiet = 0
        self.c_draw_cards(self.c_count(self.c_touched(h) & ~before), TO_ACTIONS)

    def c_remove_tile(self, h: int) -> None:
        self.c_unwall_tile(h)
        self.d.tile_discard[self.d.kind[h]] += 1
        self.c_lift(h)
        self.d.turn_quiet = 0
        self.c_refill()
        self.c_action_loop()

    def c_replace_tile(self, target: int) -> None:
        h = target // 6
        before = self.c_touched(h)
        self.c_unwall_tile(h)
        self.d.tile_discard[self.d.kind[h]] += 1
        self.c_lift(h)
        self.c_lay(h, self.d.tile, target % 6)
        self.d.reason = NO_PURPOSE
        self.c_drop_tile()
        self.d.turn_quiet = 0
        self.c_refill()
        self.c_draw_cards(self.c_count(self.c_touched(h) & ~before), TO_ACTIONS)

    def c_relocate(self, parameter: int) -> None:
        m = parameter % 3
        self.c_put_wall(FLOW_SITES + parameter // 3, m)
        self.d.tray[m] -= 1
        self.d.tray_edge = parameter // 3 % 7 + 1
        if self.d.tray[0] + self.d.tray[1] + self.d.tray[2] == 0:
            self.d.tray_edge = 0
            self.c_action_loop()

    def c_build(self, parameter: int) -> None:
        m = parameter % 3
        self.d.hand_walls[self.d.turn_seat][m] -= 1
        self.c_put_wall(parameter // 3, m)
        self.d.turn_quiet = 0
        if self.d.phase == BUILD:
            self.d.builds_done += 1
            self.c_build_loop()
        else:
            self.c_action_loop()

    def c_chance(self, code: int) -> None:
        """Section 6."""
        if code < REVEAL_CODE:
            s = (code - DEAL_CODE) // 8
            self.c_draw_card(s, (code - DEAL_CODE) % 8)
            if s == self.rules.seats - 1 and self.d.hand_size[s] == self.rules.hand_start:
                self.d.phase = STARTER
                if self.rules.forecast:
                    self.d.reveal_resume = TO_SETUP
                    self.c_reveal_step()
        elif code < STARTER_CODE:
            p = (code - REVEAL_CODE) // 16
            self.d.pile_top[p] = (code - REVEAL_CODE) % 16
            self.d.stack[self.d.pile_top[p]] -= 1
            self.d.stack_size -= 1
            self.d.reveal_restricted = 0
            self.c_reveal_step()
        elif code < ROLL_CODE:
            self.c_begin_turn(code - STARTER_CODE)
        elif code < DRAW_TILE_CODE:
            self.c_roll((code - ROLL_CODE) // 6 + 1, (code - ROLL_CODE) % 6 + 1)
        elif code < DRAW_CARD_CODE:
            self.c_draw_tile(code - DRAW_TILE_CODE)
        else:
            self.c_draw_card(self.d.turn_seat, (code - DRAW_CARD_CODE) % 8)
            self.c_draw_cards(self.d.draws_left - 1, self.d.resume)

    def c_roll(self, lava: int, white: int) -> None:
        """The orange die is the lava's, the white one the wall's; the lava wins a tie."""
        self.d.turn_quiet = 0
        if self.d.phase == DAMAGE_ROLL:
            v = self.rules.t.village[self.d.turn_seat]
            site = FLOW_SITES + 7 * v + self.d.roll_pos - 1
            if lava >= white + self.rules.t.die_bonus[self.d.wall[site] - 1]:
                self.c_unwall(site)
                self.c_heat(self.d.turn_seat, self.rules.damage_lost_wall)
            self.c_next_damage_roll(self.d.roll_pos)
            return
        h = self.d.target // 6
        site = 6 * self.rules.t.beside[h][self.d.roll_pos] + (self.d.roll_pos + 3) % 6
        if lava >= white + self.rules.t.die_bonus[self.d.wall[site] - 1]:
            self.d.roll_lost = 1
        self.d.roll_pos = self.c_first_bit(self.c_walls_round(h), self.d.roll_pos + 1)
        if self.d.roll_pos < 0:
            if self.d.roll_lost:
                self.c_settle()
            else:
                self.c_all_held()

    def c_draw_tile(self, kind: int) -> None:
        self.d.stack[kind] -= 1
        self.d.stack_size -= 1
        self.d.tile = kind
        self.c_refill()
        self.d.phase = QUAKE_PLACE if self.d.reason == FOR_QUAKE else TILE_PLACE

    def c_draw_card(self, seat: int, card: int) -> None:
        self.d.deck[card] -= 1
        self.d.deck_size -= 1
        self.d.hand_cards[seat][card] += 1
        self.d.hand_size[seat] += 1

    def c_redeal(self, viewer: int, key: int, index: int) -> None:
        """Every hidden card goes under the deck, and the hands are filled again from it."""
        left = self.d.deck_size
        for s in range(self.rules.seats):
            if s != viewer:
                for c in range(8):
                    self.d.deck[c] += self.d.hand_cards[s][c]
                    self.d.hand_cards[s][c] = 0
                left += self.d.hand_size[s]
        for s in range(self.rules.seats):
            if s != viewer:
                for _ in range(self.d.hand_size[s]):
                    k = cython.cast(cython.int, draw(key, index, left))
                    index += 1
                    left -= 1
                    c = 0
                    while k >= self.d.deck[c]:
                        k -= self.d.deck[c]
                        c += 1
                    self.d.deck[c] -= 1
                    self.d.hand_cards[s][c] += 1

    def c_copy_from(self, other: State) -> None:
        if cython.compiled:
            self.d = cython.cast(Eruption, other).d
        else:
            self.d = cython.cast(Eruption, other).d.copy()

    # -- standing (section 7) -------------------------------------------------------------------------------------

    def c_seats(self) -> int:
        return self.rules.seats

    def c_score(self, seat: int) -> int:
        return self.d.temp[seat]

    def c_rank(self, seat: int) -> int:
        """A number that is lower for the better seat: burnt, then heat, then tie points, of the team together."""
        if self.rules.mode == ANNIHILATION and self.d.burnt[seat]:
            for s in range(self.d.n_burnt):
                if self.d.burn_order[s] == seat:
                    return 100_000_000 - s
        rank = 0
        for s in range(self.rules.seats):
            if self.rules.t.team[s] == self.rules.t.team[seat]:
                rank += 10_000 * self.d.temp[s] - self.c_tie_points(s)
        return rank

    def c_place(self, seat: int) -> int:
        own = self.c_rank(seat)
        place = 1
        for s in range(self.rules.seats):
            if self.c_rank(s) < own:
                place += 1
        return place

    def c_team(self, seat: int) -> int:
        return self.rules.t.team[seat]

    # -- for Python callers ---------------------------------------------------------------------------------------

    def phase(self) -> int:
        """The decision point, a number of `facts`."""
        return self.d.phase

    def redeal(self, viewer: int, key: int, index: int) -> None:
        """Deals what `viewer` does not see anew: hands keep their sizes, every way is equally likely.

        Takes one draw of the stream `key` per card in another hand, from `index` on. Raises ValueError for no seat.
        """
        if not 0 <= viewer < self.rules.seats:
            raise ValueError(f"no seat {viewer}")
        self.c_redeal(viewer, key, index)

    def blank(self) -> State:
        """A state of the same rules whose content does not matter yet."""
        other = Eruption.__new__(Eruption) if cython.compiled else Eruption(self.rules)
        other.rules = self.rules
        return other

    def end_reason(self) -> str:
        """One of `Facts.end_reasons`, or "" while the game runs."""
        return FACTS.end_reasons[self.d.ended_by - 1] if self.d.ended_by else ""

    def breakdown(self) -> list[BreakdownRow]:
        """One row a seat: its temperature."""
        return [BreakdownRow(s, "temperature", self.d.temp[s]) for s in range(self.rules.seats)]

    def fits(self, h: int, kind: int, rot: int) -> bool:
        """Whether a tile may lie on tile hex `h`, whatever lies there now. Raises IndexError for no hex."""
        if not 0 <= h < self.rules.n_hexes:
            raise IndexError(h)
        return bool(self.c_rotations(h, self.rules.known_kind(kind)) >> rot & 1)

    def tie_points(self) -> list[int]:
        """What decides between equal temperatures, by seat: more is better."""
        return [self.c_tie_points(s) for s in range(self.rules.seats)]

    def snapshot(self) -> Snapshot:
        """Every field of the state as plain data."""
        seats = range(self.rules.seats)
        table = Table(
            phase=self.d.phase,
            ply=self.d.ply,
            turn_seat=self.d.turn_seat,
            temps=tuple([self.d.temp[s] for s in seats]),
            stock=tuple([self.d.stock[m] for m in range(3)]),
            pieces=tuple([tuple([self.d.hand_walls[s][m] for m in range(3)]) for s in seats]),
            card_discard=tuple([self.d.card_discard[c] for c in range(8)]),
            board=tuple([(h, self.d.kind[h], self.d.rot[h]) for h in range(self.rules.n_hexes) if self.d.kind[h] >= 0]),
            stack=tuple([self.d.stack[k] for k in range(self.rules.source)]),
            pile_sizes=tuple([self.d.pile_size[p] for p in range(3)]),
            pile_tops=tuple([self.d.pile_top[p] for p in range(3)]),
            tile_discard=tuple([self.d.tile_discard[k] for k in range(self.rules.source + 1)]),
            walls=tuple([(s, self.d.wall[s] - 1) for s in range(SITES) if self.d.wall[s] > 0]),
            eruption=tuple([self.d.eruption[k] for k in range(3)]),
            final_left=self.d.final_left,
            final_out=self.d.final_out,
            burnt=tuple([bool(self.d.burnt[s]) for s in seats]),
            burn_order=tuple([self.d.burn_order[i] for i in range(self.d.n_burnt)]),
            turn_quiet=self.rules.mode != ANNIHILATION or bool(self.d.turn_quiet),
            quiet_turns=self.d.quiet_turns,
            purpose=self.d.reason,
            tile=self.d.tile,
            tile_pile=self.d.tile_pile,
            held=tuple([h for h in range(HEXES) if self.d.held >> h & ONE]),
            target=self.d.target,
            roll_pos=self.d.roll_pos,
            roll_lost=bool(self.d.roll_lost),
            draws_left=self.d.draws_left,
            resume=self.d.resume,
            tray=tuple([self.d.tray[m] for m in range(3)]),
            tray_edge=self.d.tray_edge,
            builds_done=self.d.builds_done,
            reveal_resume=self.d.reveal_resume,
            reveal_restricted=bool(self.d.reveal_restricted),
            ended_by=self.d.ended_by,
        )
        hands = tuple([tuple([self.d.hand_cards[s][c] for c in range(8)]) for s in seats])
        return Snapshot(table, hands, tuple([self.d.deck[c] for c in range(8)]))

    def observe(self, seat: int) -> EruptionObservation:
        """What `seat` sees: everything but the hands of the others and the order of the deck."""
        from engines.eruption.observe import observe

        return observe(self, seat)


def make_rules(setup: Setup, data: Mapping[str, Any]) -> EruptionRules:
    """The immutable rules object of a checked setup. Raises BadInput when an option does not go with the seats."""
    faults = check_seats(setup.seats, setup.options)
    if faults:
        raise BadInput(faults)
    return EruptionRules(setup, data)


def start(rules: EruptionRules) -> Eruption:
    """The state before the first move."""
    state = Eruption(rules)
    state.c_start()
    return state


def load(rules: EruptionRules, snapshot: Snapshot) -> Eruption:
    """A state from outside. Raises BadInput when an invariant of section 3 is broken."""
    violations = invariants.check(rules, snapshot)
    if violations:
        raise BadInput(violations)
    state = Eruption(rules)
    state.c_start()
    t = snapshot.table
    for h, kind, rot in t.board:
        state.c_lay(h, kind, rot)
    for site, material in t.walls:
        state.c_put_wall(site, material)
    for m in range(3):
        state.d.stock[m] = t.stock[m]
        state.d.tray[m] = t.tray[m]
        state.d.pile_size[m] = t.pile_sizes[m]
        state.d.pile_top[m] = t.pile_tops[m]
        state.d.eruption[m] = t.eruption[m]
    for s in range(rules.seats):
        state.d.temp[s] = t.temps[s]
        state.d.burnt[s] = t.burnt[s]
        state.d.hand_size[s] = sum(snapshot.hands[s])
        for m in range(3):
            state.d.hand_walls[s][m] = t.pieces[s][m]
        for c in range(8):
            state.d.hand_cards[s][c] = snapshot.hands[s][c]
    for c in range(8):
        state.d.deck[c] = snapshot.deck[c]
        state.d.card_discard[c] = t.card_discard[c]
    state.d.deck_size = sum(snapshot.deck)
    state.d.discard_size = sum(t.card_discard)
    for k in range(rules.source):
        state.d.stack[k] = t.stack[k]
    state.d.stack_size = sum(t.stack)
    for k in range(rules.source + 1):
        state.d.tile_discard[k] = t.tile_discard[k]
    for h in t.held:
        state.d.held |= ONE << h
    for i, seat in enumerate(t.burn_order):
        state.d.burn_order[i] = seat
    state.d.n_burnt = len(t.burn_order)
    state.d.phase = t.phase
    state.d.ply = t.ply
    state.d.turn_seat = t.turn_seat
    state.d.final_left = t.final_left
    state.d.final_out = t.final_out
    state.d.turn_quiet = t.turn_quiet
    state.d.quiet_turns = t.quiet_turns
    state.d.reason = t.purpose
    state.d.tile = t.tile
    state.d.tile_pile = t.tile_pile
    state.d.target = t.target
    state.d.roll_pos = t.roll_pos
    state.d.roll_lost = t.roll_lost
    state.d.draws_left = t.draws_left
    state.d.resume = t.resume
    state.d.tray_edge = t.tray_edge
    state.d.builds_done = t.builds_done
    state.d.reveal_resume = t.reveal_resume
    state.d.reveal_restricted = t.reveal_restricted
    state.d.ended_by = t.ended_by
    return state

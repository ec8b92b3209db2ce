"""Eruption: how a turn runs from one decision to the next, and how the game ends (README sections 5.2 and 7)."""

from __future__ import annotations

from engines.eruption.facts import (
    ACTION,
    ANNIHILATION,
    BUILD,
    BURNT,
    CARD_DRAW,
    CLANS,
    DAMAGE_ROLL,
    DISCARD,
    ERUPTION_PLACE,
    EXTRA_TILE,
    FOR_QUAKE,
    FOR_TURN,
    FOR_ZONE,
    LAST_STANDING,
    NO_PURPOSE,
    NO_RESUME,
    NO_REVEAL,
    NONE,
    ONE,
    OVER,
    QUAKE_PLACE,
    REVEAL,
    ROW,
    STACK,
    STALEMATE,
    STARTER,
    TILE_DRAW,
    TILE_PICK,
    TILE_PLACE,
    TO_ACTIONS,
    TO_AFTER,
    TO_PICK,
    TO_SETUP,
    TO_TILES,
    USED,
)
from engines.eruption.legal import Legal


class Turn(Legal):
    """The bookkeeping inside moves. "Loud" are the events that clear `turn_quiet`, which only annihilation reads."""

    # -- heat, pieces, cards, tiles -------------------------------------------------------------------------------

    def c_heat(self, seat: int, degrees: int) -> None:
        """A seat that reaches an eruption space whose tile nobody has claims it at once."""
        temp = self.d.temp[seat] + degrees
        if temp > self.rules.meter_last:
            temp = self.rules.meter_last
        if temp != self.d.temp[seat]:
            self.d.temp[seat] = temp
            self.d.turn_quiet = 0
        for k in range(3):
            if self.d.eruption[k] == ROW and temp >= self.rules.t.eruption_space[k]:
                self.d.eruption[k] = seat

    def c_gain(self, seat: int, material: int) -> None:
        """One piece from the stock, or of the next weaker material that is there."""
        m = material
        while m >= 0 and self.d.stock[m] == 0:
            m = self.rules.t.weaker[m]
        if m >= 0:
            self.d.stock[m] -= 1
            self.d.hand_walls[seat][m] += 1

    def c_discard_card(self, seat: int, card: int) -> None:
        self.d.hand_cards[seat][card] -= 1
        self.d.hand_size[seat] -= 1
        self.d.card_discard[card] += 1
        self.d.discard_size += 1
        self.d.turn_quiet = 0

    def c_refill(self) -> None:
        """Annihilation: when no tile is left to draw, the discarded lava tiles come back."""
        if self.rules.mode != ANNIHILATION or not self.c_no_tile_left():
            return
        total = 0
        for k in range(self.rules.source):
            self.d.stack[k] = self.d.tile_discard[k]
            self.d.tile_discard[k] = 0
            total += self.d.stack[k]
        self.d.stack_size = total
        if self.rules.forecast:
            for p in range(3):
                self.d.pile_size[p] = (total + 2 - p) // 3

    def c_trash_stack(self) -> None:
        for p in range(3):
            if self.d.pile_top[p] >= 0:
                self.d.tile_discard[self.d.pile_top[p]] += 1
            self.d.pile_top[p] = NONE
            self.d.pile_size[p] = 0
        for k in range(self.rules.source):
            self.d.tile_discard[k] += self.d.stack[k]
            self.d.stack[k] = 0
        self.d.stack_size = 0

    def c_no_tile_left(self) -> bool:
        for p in range(3):
            if self.d.pile_size[p] > 0:
                return False
        return self.d.stack_size == 0

    # -- damage and eruption --------------------------------------------------------------------------------------

    def c_begin_turn(self, seat: int) -> None:
        self.d.turn_seat = seat
        self.d.builds_done = 0
        self.d.turn_quiet = 1
        if self.c_dead(seat):
            self.c_start_placement(FOR_TURN)
            return
        v = self.rules.t.village[seat]
        open_flows = 0
        for e in range(7):
            if self.c_contact(v, e) and self.c_wall_at(v, e) == 0:
                open_flows += 1
        if open_flows > 0:
            self.d.turn_quiet = 0
            self.c_heat(seat, open_flows * self.rules.damage_open_flow)
        self.c_next_damage_roll(0)

    def c_next_damage_roll(self, first: int) -> None:
        """The next own edge from `first` (counted from 0) with lava and a wall."""
        v = self.rules.t.village[self.d.turn_seat]
        for e in range(first, 7):
            if self.c_contact(v, e) and self.c_wall_at(v, e) > 0:
                self.d.phase = DAMAGE_ROLL
                self.d.roll_pos = e + 1
                return
        self.d.roll_pos = NONE
        self.c_eruption_step()

    def c_held_tile(self, seat: int) -> int:
        """The lowest eruption tile a seat holds; NONE without one."""
        for k in range(3):
            if self.d.eruption[k] == seat:
                return k
        return NONE

    def c_eruption_step(self) -> None:
        k = self.c_held_tile(self.d.turn_seat)
        if k >= 0 and self.c_source_fits():
            self.d.phase = ERUPTION_PLACE
            return
        if k >= 0:
            self.d.eruption[k] = USED
            self.d.tile_discard[self.rules.source] += 1
        self.c_start_placement(FOR_TURN)

    # -- placements -----------------------------------------------------------------------------------------------

    def c_start_placement(self, purpose: int) -> None:
        self.d.reason = purpose
        self.d.held = 0
        self.c_draw_step()

    def c_draw_step(self) -> None:
        kinds = self.c_candidates()
        if kinds == 0:
            if self.rules.mode != ANNIHILATION:
                self.c_trash_stack()
            self.c_after_placement()
        elif not self.rules.forecast:
            self.d.phase = TILE_DRAW
        else:
            shown = 0
            for p in range(3):
                if self.d.pile_top[p] >= 0 and kinds >> self.d.pile_top[p] & 1:
                    shown += 1
            if shown > 0 and self.c_bare_pile() < 0:
                self.d.phase = TILE_PICK
                return
            if shown == 0:  # the tops go back under, and the next ones include a tile that fits
                for p in range(3):
                    if self.d.pile_top[p] >= 0:
                        self.d.stack[self.d.pile_top[p]] += 1
                        self.d.stack_size += 1
                        self.d.pile_top[p] = NONE
                self.d.reveal_restricted = 1
            self.d.reveal_resume = TO_PICK
            self.c_reveal_step()

    def c_reveal_step(self) -> None:
        if self.c_bare_pile() >= 0:
            self.d.phase = REVEAL
            return
        resume = self.d.reveal_resume
        self.d.reveal_resume = NO_REVEAL
        if resume == TO_SETUP:
            self.d.phase = STARTER
        elif resume == TO_PICK:
            self.c_draw_step()
        else:
            self.d.phase = QUAKE_PLACE if self.d.reason == FOR_QUAKE else TILE_PLACE

    def c_put(self, h: int, kind: int, rot: int) -> int:
        """Lays a tile; returns the number of cards it earns."""
        self.c_lay(h, kind, rot)
        self.d.turn_quiet = 0
        if self.c_dead(self.d.turn_seat):
            return 0
        if self.rules.t.resource[h] >= 0:
            self.c_gain(self.d.turn_seat, self.rules.t.resource[h])
        return self.c_count(self.c_touched(h))

    def c_count(self, edges: int) -> int:
        n = 0
        for d in range(6):
            n += edges >> d & 1
        return n

    def c_settle(self) -> None:
        h = self.d.target // 6
        rot = self.d.target % 6
        self.c_unwall_round(h)
        n = self.c_put(h, self.d.tile, rot)
        self.c_drop_tile()
        self.c_draw_cards(n, TO_AFTER)

    def c_drop_tile(self) -> None:
        """The placement is over: nothing of it is remembered but its purpose."""
        self.d.tile = NONE
        self.d.tile_pile = NONE
        self.d.target = NONE
        self.d.roll_pos = NONE
        self.d.roll_lost = 0
        self.d.held = 0

    def c_all_held(self) -> None:
        """Every wall round the target held: another hex, or another tile, or none."""
        tile = self.d.tile
        self.d.held |= ONE << self.d.target // 6
        self.d.target = NONE
        self.d.roll_pos = NONE
        if self.c_placeable(self.d.held) >> tile & 1:
            self.d.phase = TILE_PLACE
            return
        self.d.tile = NONE
        if self.c_candidates():
            if self.rules.forecast:
                self.d.pile_size[self.d.tile_pile] += 1
            if self.rules.forecast and self.d.pile_top[self.d.tile_pile] < 0:
                self.d.pile_top[self.d.tile_pile] = tile
            else:
                self.d.stack[tile] += 1
                self.d.stack_size += 1
            self.d.tile_pile = NONE
            self.c_draw_step()
        else:
            self.d.tile_discard[tile] += 1
            self.c_refill()
            self.c_after_placement()

    def c_after_placement(self) -> None:
        purpose = self.d.reason
        self.d.reason = NO_PURPOSE
        self.c_drop_tile()
        if self.c_dead(self.d.turn_seat):
            self.c_end_turn()
        elif purpose == FOR_TURN:
            if self.c_zone(self.d.turn_seat) >= self.rules.extra_tile_from_zone and self.c_can_add_tile():
                self.d.phase = EXTRA_TILE
            else:
                self.c_action_start()
        elif purpose == FOR_ZONE:
            self.c_action_start()
        else:
            self.c_action_loop()

    # -- cards, building, discards --------------------------------------------------------------------------------

    def c_draw_cards(self, count: int, resume: int) -> None:
        if count > 0 and self.d.deck_size + self.d.discard_size > 0:
            if self.d.deck_size == 0:
                for c in range(8):
                    self.d.deck[c] = self.d.card_discard[c]
                    self.d.card_discard[c] = 0
                self.d.deck_size = self.d.discard_size
                self.d.discard_size = 0
            self.d.draws_left = count
            self.d.resume = resume
            self.d.phase = CARD_DRAW
            return
        self.d.draws_left = 0
        self.d.resume = NO_RESUME
        if resume == TO_TILES:
            self.c_start_placement(FOR_TURN)
        elif resume == TO_AFTER:
            self.c_after_placement()
        else:
            self.c_action_loop()

    def c_action_start(self) -> None:
        count = 1 if self.c_zone(self.d.turn_seat) >= self.rules.extra_card_from_zone else 0
        self.c_draw_cards(count, TO_ACTIONS)

    def c_action_loop(self) -> None:
        seat = self.d.turn_seat
        if self.d.hand_size[seat] > 0 or (self.rules.mode == CLANS and self.c_pieces_of(seat) > 0):
            self.d.phase = ACTION
        else:
            self.c_build_loop()

    def c_build_loop(self) -> None:
        seat = self.d.turn_seat
        builds = self.rules.builds_per_turn
        if self.c_zone(seat) >= self.rules.extra_builds_from_zone:
            builds += 1
        if self.d.builds_done < builds and self.c_pieces_of(seat) > 0 and self.c_has_site(seat):
            self.d.phase = BUILD
        else:
            self.c_discard_loop()

    def c_discard_loop(self) -> None:
        if self.d.hand_size[self.d.turn_seat] > self.rules.hand_limit:
            self.d.phase = DISCARD
        else:
            self.c_end_turn()

    # -- the end --------------------------------------------------------------------------------------------------

    def c_finish(self, reason: int) -> None:
        self.d.phase = OVER
        self.d.ended_by = reason

    def c_end_turn(self) -> None:
        self.d.builds_done = 0
        if self.rules.mode == ANNIHILATION:
            self.c_end_of_annihilation_turn()
        else:
            self.c_end_of_turn()

    def c_end_of_turn(self) -> None:
        seat = self.d.turn_seat
        if self.d.final_left > 0:
            self.d.final_left -= 1
            if self.d.final_left == 0:
                self.c_finish(STACK if self.d.final_out < 0 else BURNT)
                return
        else:
            out = self.d.temp[seat] == self.rules.meter_last
            if self.rules.mode == CLANS:
                self.d.burnt[seat] = out
                for s in range(self.rules.seats):
                    if self.rules.t.team[s] == self.rules.t.team[seat] and not self.d.burnt[s]:
                        out = False
            if out:
                self.c_trash_stack()
                self.d.final_out = self.rules.t.team[seat]
                self.d.final_left = self.c_others(self.d.final_out)
            elif self.c_no_tile_left():
                self.d.final_left = self.rules.seats
        s = (seat + 1) % self.rules.seats
        while self.rules.t.team[s] == self.d.final_out:
            s = (s + 1) % self.rules.seats
        self.c_begin_turn(s)

    def c_others(self, team: int) -> int:
        """The number of seats outside a team."""
        n = 0
        for s in range(self.rules.seats):
            if self.rules.t.team[s] != team:
                n += 1
        return n

    def c_end_of_annihilation_turn(self) -> None:
        seat = self.d.turn_seat
        self.d.quiet_turns = self.d.quiet_turns + 1 if self.d.turn_quiet else 0
        if self.d.temp[seat] == self.rules.meter_last and not self.d.burnt[seat]:
            self.d.burnt[seat] = 1
            self.d.burn_order[self.d.n_burnt] = seat
            self.d.n_burnt += 1
            for k in range(3):
                if self.d.eruption[k] == seat:
                    self.d.eruption[k] = USED
                    self.d.tile_discard[self.rules.source] += 1
        if self.d.n_burnt == self.rules.seats - 1:
            self.c_finish(LAST_STANDING)
        elif self.d.quiet_turns == self.rules.seats:
            self.c_finish(STALEMATE)
        else:
            self.c_begin_turn((seat + 1) % self.rules.seats)

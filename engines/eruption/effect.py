"""Eruption: the effects of the moves (README sections 5.3 and 6)."""

from __future__ import annotations

from engines.eruption.facts import (
    AFTERSHOCK,
    AFTERSHOCK_CARD,
    BOMB,
    BOMB_CARD,
    BUILD,
    BUILD_CODE,
    DAMAGE_ROLL,
    DEAL_CODE,
    DISCARD_CODE,
    DRAW_CARD_CODE,
    DRAW_TILE_CODE,
    END_ACTIONS_CODE,
    END_BUILD_CODE,
    FLOW_SITES,
    FOR_CARD,
    FOR_PAIR,
    FOR_QUAKE,
    FOR_ZONE,
    GIVE_CARD_CODE,
    GIVE_WALL_CODE,
    LAVA_FLOW_CARD,
    NO_PURPOSE,
    NONE,
    PAIR_CODE,
    PICK_CODE,
    PLACE_CODE,
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
    REVEAL_CODE,
    ROLL_CODE,
    ROTATE_CODE,
    SINKHOLE,
    SINKHOLE_CARD,
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
from engines.eruption.turn import Turn


class Effect(Turn):
    """What each move does to the state."""

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

"""Hawaii: points of the round goals and of the end of the game (README section 7)."""

from __future__ import annotations

from engines.core.game import BreakdownRow
from engines.hawaii.facts import (
    END_VP,
    END_VP_BOAT,
    END_VP_FRUIT_REALM,
    END_VP_FRUIT_VILLAGE,
    END_VP_SURFER,
    END_VP_TILE_VILLAGE,
    END_VP_VILLAGE,
    GOAL_BONUS,
    GOAL_BONUS_VP,
    GOAL_REDUCTION,
    GOALS,
    OVER,
    SOURCES,
    SPEAR_VP,
    SPEARS,
)
from engines.hawaii.legal import Legal


def c_bits(mask: int) -> int:
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


class Scoring(Legal):
    """The points of one position of Hawaii."""

    def c_meets_goal(self, seat: int) -> bool:
        target = self.rules.target[self.d.round - 1] - self.d.eff[seat][GOAL_REDUCTION]
        return self.d.total[seat] >= target

    def c_goal_points(self, seat: int) -> int:
        """Section 7.1: ranked by the real sums among those who met the goal; nobody is second behind a shared first."""
        best = -1
        second = -1
        leaders = 0
        for s in range(self.rules.seats):
            if self.c_meets_goal(s):
                total = self.d.total[s]
                if total > best:
                    second = best
                    best = total
                    leaders = 1
                elif total == best:
                    leaders += 1
                elif total > second:
                    second = total
        if not self.c_meets_goal(seat):
            return 0
        if self.d.total[seat] == best:
            return self.rules.goal_vp[self.d.round - 1][0]
        if self.d.total[seat] == second and leaders == 1:
            return self.rules.goal_vp[self.d.round - 1][1]
        return self.rules.goal_vp[self.d.round - 1][2]

    def c_score_round(self) -> None:
        """Goal, Lono and spears; whether a village is valid does not matter here."""
        for s in range(self.rules.seats):
            self.d.points[s][GOALS] += self.c_goal_points(s)
            if self.c_meets_goal(s):
                self.d.points[s][GOAL_BONUS] += self.d.eff[s][GOAL_BONUS_VP]
            self.d.points[s][SPEARS] += self.d.eff[s][SPEAR_VP] * self.d.spears[s]

    def c_score_game(self) -> None:
        for s in range(self.rules.seats):
            self.d.end[s] = self.c_end_points(s)

    def c_valid(self, seat: int, village: int) -> bool:
        return self.d.tile_n[seat][village] > 0 and self.d.width[seat][village] >= self.c_need(seat)

    def c_in_villages(self, seat: int, kinds: int, short_ones_too: bool) -> int:
        """Tiles of these kinds (bits) in valid villages, or in all."""
        found = 0
        for v in range(self.rules.n_villages):
            if short_ones_too or self.c_valid(seat, v):
                found += c_bits(self.d.mask[seat][v] & kinds)
        return found

    def c_valid_villages(self, seat: int) -> int:
        count = 0
        for v in range(self.rules.n_villages):
            if self.c_valid(seat, v):
                count += 1
        return count

    def c_tile_points(self, seat: int, village: int, i: int) -> int:
        """End points of the i-th tile of a valid village."""
        kind = self.d.tiles[seat][village][i] // 2
        level = self.d.tiles[seat][village][i] % 2
        points = self.rules.effect[kind][level][END_VP]
        points += self.rules.effect[kind][level][END_VP_TILE_VILLAGE] * self.d.tile_n[seat][village]
        if self.rules.effect[kind][level][END_VP_FRUIT_VILLAGE] > 0:
            fruits = c_bits(self.d.mask[seat][village] & self.rules.fruits)
            points += self.rules.effect[kind][level][END_VP_FRUIT_VILLAGE] * fruits
        if self.rules.effect[kind][level][END_VP_FRUIT_REALM] > 0:
            fruits = self.c_in_villages(seat, self.rules.fruits, self.rules.laka_all)
            points += self.rules.effect[kind][level][END_VP_FRUIT_REALM] * fruits
        if self.rules.effect[kind][level][END_VP_SURFER] > 0:
            surfers = self.c_in_villages(seat, self.rules.surfers, False)
            points += self.rules.effect[kind][level][END_VP_SURFER] * surfers
        if self.rules.effect[kind][level][END_VP_VILLAGE] > 0:
            points += self.rules.effect[kind][level][END_VP_VILLAGE] * self.c_valid_villages(seat)
        boats = self.d.boats[seat][1] + self.d.boats[seat][2]
        return points + self.rules.effect[kind][level][END_VP_BOAT] * boats

    def c_kahuna_points(self, seat: int, village: int) -> int:
        """Points of the kahuna beside a valid village."""
        return self.rules.kahuna_vp[village] if village < self.d.kahunas[seat] else 0

    def c_end_points(self, seat: int) -> int:
        """Section 7.2, as if the game ended now."""
        points = 0
        for v in range(self.rules.n_villages):
            if self.c_valid(seat, v):
                points += self.c_kahuna_points(seat, v)
                for i in range(self.d.tile_n[seat][v]):
                    points += self.c_tile_points(seat, v, i)
        return points

    # -- for Python callers ---------------------------------------------------------------------------------------

    def breakdown(self) -> list[BreakdownRow]:
        """What each seat gained by source and, when the game is over, by village and kind of tile."""
        rows = []
        for s in range(self.rules.seats):
            rows += [BreakdownRow(s, source, self.d.points[s][i]) for i, source in enumerate(SOURCES)]
            if self.d.phase == OVER:
                rows += self._end_rows(s)
        return rows

    def _end_rows(self, seat: int) -> list[BreakdownRow]:
        rows = []
        for v in range(self.rules.n_villages):
            if self.c_valid(seat, v):
                found = [("kahuna", self.c_kahuna_points(seat, v))]
                for i in range(self.d.tile_n[seat][v]):
                    kind = self.d.tiles[seat][v][i] // 2
                    found.append((self.rules.kinds[kind], self.c_tile_points(seat, v, i)))
                rows += [BreakdownRow(seat, f"village {v + 1} {name}", points) for name, points in found if points != 0]
        return rows

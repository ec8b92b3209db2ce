"""Monte-Carlo tree search for every game: chance, hidden information, two to six seats, teams.

UCT (Kocsis, Szepesvari 2006) with max-n backup: a node keeps a value for each seat, and who decides there maximises its
own. Chance outcomes are drawn by weight each time. With hidden information one tree serves many worlds, each drawn from
the observation (single-observer information-set search: Cowling, Powley, Whitehouse 2012); a move counts as available
only in the worlds where it is legal. Playouts are random; they may be cut off by the game's `evaluate`. In a game of
two sides without chance or hidden information, finished games in the tree prove wins (Winands, Bjornsson, Saito 2008).

A step makes no Python object.
"""

from __future__ import annotations

from array import array

import cython

from engines.core.constants import CHANCE, MAX_SEATS, TERMINAL
from engines.core.evaluate import Evaluator
from engines.core.latency import APPLY, LEGAL, Latency
from engines.core.rng import draw
from engines.core.state import Moves, State
from engines.search import UNKNOWN, logs
from engines.search.tree import Tree

if not cython.compiled:
    from math import sqrt

    from engines.core.rollout import c_random_code
    from engines.search.greedy import c_greedy

CODES = 65536
MAX_DEPTH = 4096
SPREAD = logs.SIZE


class Search:
    """One search over one tree. `run` adds simulations from worlds that agree with one observation."""

    def __init__(
        self,
        scratch: State,
        evaluator: Evaluator,
        capacity: int,
        exploration: float,
        cutoff: int,
        scale: int,
        widening: float,
        solve: bool,
        greedy: bool = False,
    ) -> None:
        """`scratch` is a state of the same rules that the search may overwrite.

        exploration  weight of the uncertainty term, about 0.5 to 1.5; values lie in 0..1
        cutoff       plies after which a playout is judged by `evaluator`; -1 = play to the end
        scale        difference of two evaluations that means 3 : 1
        widening     most children = widening x sqrt(visits), 0 = as many as there are moves
        solve        prove wins: only for two sides without chance and hidden information
        greedy       playouts make the moves of the greedy bot, not random ones
        """
        if scratch is None or evaluator is None:
            raise TypeError("scratch or evaluator is None")
        self.state = scratch
        self.tree = Tree(capacity, self.state.c_seats())
        self.evaluator = evaluator
        self.moves = Moves()
        self.latency = Latency()
        self.exploration = exploration
        self.cutoff = cutoff
        self.scale = scale
        self.widening = widening
        self.solve = solve
        self.greedy = greedy
        self.trial = scratch.clone()
        self.simulations = 0
        self.stamp = 0
        self.ln = logs.table()
        self.mark = array("i", bytes(4 * CODES))
        self.path = array("i", bytes(4 * (MAX_DEPTH + 1)))
        self.reward = array("d", bytes(8 * MAX_SEATS))
        self.looks = array("d", bytes(8 * MAX_SEATS))
        self.deciders = array("b", bytes(MAX_DEPTH + 1))

    def run(self, world: State, count: int, key: int) -> int:
        """`count` simulations from `world`; returns how many were made (fewer once the root is proven).

        The draws come from the stream `key`, indexed by the simulations made so far, so the same calls give the same
        tree. Runs without the GIL. Raises TypeError when `world` is no state of the same game.
        """
        if world is None or type(world) is not type(self.state) or world.rules is not self.state.rules:
            raise TypeError("not a state of the same game")
        if count < 0:
            raise ValueError("count must not be negative")
        with cython.nogil:
            done = 0
            while done < count and self.tree.proven[0] == UNKNOWN:
                self.c_simulate(world, key)
                done += 1
        return done

    def reset(self) -> None:
        """Forgets the tree and begins to count simulations again."""
        self.tree.clear()
        self.simulations = 0

    # -- one simulation, without Python objects ---------------------------------------------------------------------

    def c_simulate(self, world: State, key: int) -> None:
        self.state.c_copy_from(world)
        index = cython.cast(cython.ulonglong, self.simulations) << 16
        self.simulations += 1
        node = 0
        depth = 0
        self.path[0] = 0
        grown = 0
        while depth < MAX_DEPTH and not grown:
            actor = self.state.c_actor()
            if actor == TERMINAL:
                break
            self.deciders[depth] = actor
            self.state.c_legal(self.moves)
            self.tree.legal[node] = self.moves.n
            if actor == CHANCE:
                child = self.c_outcome(node, key, index)
            else:
                child = self.c_select(node, actor, key, index)
            index += 1
            if child < 0:
                break
            grown = actor != CHANCE and self.tree.visits[child] == 0
            self.state.c_apply(self.tree.code[child])
            node = child
            depth += 1
            self.path[depth] = node
        if self.solve and self.state.c_actor() == TERMINAL:
            self.c_prove(depth)
        self.c_playout(key, index)
        for i in range(depth + 1):
            node = self.path[i]
            self.tree.visits[node] += 1
            for s in range(self.tree.seats):
                self.tree.value[node * self.tree.seats + s] += self.reward[s]

    def c_outcome(self, node: int, key: int, index: int) -> int:
        """The child of a chance outcome drawn by weight; -1 when the tree is full.

        With more outcomes than the node may have children, one of those it has is drawn, in proportion to its weight.
        """
        self.state.c_weights(self.moves)
        if self.widening > 0 and self.c_is_wide(node):
            self.stamp += 2
            for i in range(self.moves.n):
                self.mark[self.moves.code[i]] = self.stamp
            child = self.tree.child[node]
            while child >= 0:
                if self.mark[self.tree.code[child]] == self.stamp:
                    self.mark[self.tree.code[child]] = self.stamp + 1
                child = self.tree.sibling[child]
            kept = 0
            for i in range(self.moves.n):
                if self.mark[self.moves.code[i]] == self.stamp + 1:
                    self.moves.code[kept] = self.moves.code[i]
                    self.moves.weight[kept] = self.moves.weight[i]
                    kept += 1
            if kept > 0:
                self.moves.n = kept
        code = self.moves.c_weighted(key, index)
        child = self.tree.c_find(node, code)
        return child if child >= 0 else self.tree.c_add(node, code)

    def c_is_wide(self, node: int) -> bool:
        limit = 1 + self.widening * sqrt(self.tree.visits[node])
        return self.tree.children[node] >= limit

    def c_select(self, node: int, seat: int, key: int, index: int) -> int:
        """An untried move while there may be more children, else the child with the best upper bound for `seat`.

        -1 when a move would have to be added and the tree is full.
        """
        self.stamp += 2
        for i in range(self.moves.n):
            self.mark[self.moves.code[i]] = self.stamp
        best = -1
        best_bound = 0.0
        tried = 0
        team = self.state.c_team(seat)
        child = self.tree.child[node]
        while child >= 0:
            code = self.tree.code[child]
            if self.mark[code] == self.stamp:
                self.mark[code] = self.stamp + 1
                tried += 1
                self.tree.available[child] += 1
                if self.tree.proven[child] == UNKNOWN or self.tree.proven[child] == team:
                    bound = self.c_bound(child, seat)
                    if best < 0 or bound > best_bound:
                        best = child
                        best_bound = bound
            child = self.tree.sibling[child]
        if tried < self.moves.n and (best < 0 or self.widening == 0 or not self.c_is_wide(node)):
            k = cython.cast(cython.int, draw(key, index, self.moves.n - tried))
            for i in range(self.moves.n):
                if self.mark[self.moves.code[i]] == self.stamp:
                    if k == 0:
                        return self.tree.c_add(node, self.moves.code[i])
                    k -= 1
        if best < 0:  # every move loses for sure: any will do
            best = self.tree.child[node]
            while self.mark[self.tree.code[best]] != self.stamp + 1:
                best = self.tree.sibling[best]
        return best

    def c_bound(self, child: int, seat: int) -> float:
        visits = self.tree.visits[child]
        if visits == 0:
            return 1e9
        mean = self.tree.value[child * self.tree.seats + seat] / visits
        return mean + self.exploration * sqrt(self.c_ln(self.tree.available[child]) / visits)

    def c_ln(self, n: int) -> float:
        halvings = 0
        while n >= SPREAD:
            n >>= 1
            halvings += 1
        return self.ln[n] + halvings * self.ln[SPREAD]

    def c_playout(self, key: int, index: int) -> None:
        """Random or greedy play from the present state, to the end or to the cut-off; fills `reward`."""
        plies = 0
        while self.state.c_actor() != TERMINAL and plies != self.cutoff:
            actor = self.state.c_actor()
            if self.greedy and actor != CHANCE:
                code = c_greedy(self.state, self.trial, self.moves, self.evaluator, actor, key, index)
            else:
                code = c_random_code(self.state, self.moves, key, index)
            self.state.c_apply(code)
            index += 1
            plies += 1
        self.latency.c_count(LEGAL, plies)
        self.latency.c_count(APPLY, plies)
        if self.state.c_actor() == TERMINAL:
            self.c_result()
        else:
            self.c_judge()

    def c_result(self) -> None:
        """Rewards of a finished game: the share of other seats that a seat leaves behind, half for ties.

        Team-mates share a place and do not count against each other.
        """
        for s in range(self.tree.seats):
            points = 0
            others = 0
            for o in range(self.tree.seats):
                if self.state.c_team(o) != self.state.c_team(s):
                    others += 2
                    if self.state.c_place(s) < self.state.c_place(o):
                        points += 2
                    elif self.state.c_place(s) == self.state.c_place(o):
                        points += 1
            self.reward[s] = cython.cast(cython.double, points) / others

    def c_judge(self) -> None:
        """Rewards of a game that is cut off: as `c_result`, by how evaluations compare."""
        for s in range(self.tree.seats):
            self.looks[s] = self.evaluator.c_evaluate(self.state, s)
        for s in range(self.tree.seats):
            points = 0.0
            others = 0
            for o in range(self.tree.seats):
                if self.state.c_team(o) != self.state.c_team(s):
                    others += 1
                    lead = self.looks[s] - self.looks[o]
                    size = lead if lead > 0 else -lead
                    points += 0.5 + 0.5 * lead / (self.scale + size)
            self.reward[s] = points / others

    def c_prove(self, depth: int) -> None:
        """Backs up a finished game at the end of the path as proven as far as it holds."""
        winner = UNKNOWN
        for s in range(self.tree.seats):
            if self.state.c_place(s) == 1:
                if winner != UNKNOWN:
                    return  # a draw proves nobody's win
                winner = self.state.c_team(s)
        self.tree.proven[self.path[depth]] = winner
        for i in range(depth - 1, -1, -1):
            node = self.path[i]
            if self.deciders[i] < 0:
                return
            if self.state.c_team(self.deciders[i]) != winner and not self.c_all_lost(node, winner):
                return
            self.tree.proven[node] = winner

    def c_all_lost(self, node: int, winner: int) -> bool:
        """Whether every legal move of a node is known and leads to `winner`'s win."""
        child = self.tree.child[node]
        lost = 0
        while child >= 0:
            if self.tree.proven[child] != winner:
                return False
            lost += 1
            child = self.tree.sibling[child]
        return lost == self.tree.legal[node]

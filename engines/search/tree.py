"""The tree of a search: nodes in flat arrays of a fixed capacity, so that it never grows and no node is an object."""

from __future__ import annotations

from array import array

import cython

from engines.core.constants import MAX_SEATS
from engines.search import UNKNOWN


def _rank(row: tuple[int, int, int, list[float], int]) -> tuple[int, int]:
    return -row[2], row[1]


class Tree:
    """Nodes in flat arrays; node 0 is the root. A node's children are a linked list, newest first."""

    def __init__(self, capacity: int, seats: int) -> None:
        if not 1 <= seats <= MAX_SEATS or not 2 <= capacity <= 1 << 26:
            raise ValueError("seats must be 1..6 and capacity 2..2**26")
        self.capacity = capacity
        self.seats = seats
        self.code = array("i", bytes(4 * capacity))
        self.parent = array("i", bytes(4 * capacity))
        self.child = array("i", bytes(4 * capacity))
        self.sibling = array("i", bytes(4 * capacity))
        self.visits = array("i", bytes(4 * capacity))
        self.available = array("i", bytes(4 * capacity))
        self.children = array("i", bytes(4 * capacity))
        self.legal = array("i", bytes(4 * capacity))
        self.moved = array("i", bytes(4 * capacity))
        self.proven = array("b", bytes(capacity))
        self.value = array("d", bytes(8 * capacity * seats))
        self.clear()

    def clear(self) -> None:
        """Forgets everything but an empty root."""
        self.n = 0
        self.c_add(-1, -1)

    def c_add(self, parent: int, code: int) -> int:
        """A new child of `parent`; -1 when the tree is full."""
        if self.n == self.capacity:
            return -1
        node = self.n
        self.n += 1
        self.code[node] = code
        self.parent[node] = parent
        self.child[node] = -1
        self.visits[node] = 0
        self.available[node] = 0
        self.children[node] = 0
        self.legal[node] = 0
        self.proven[node] = UNKNOWN
        for s in range(self.seats):
            self.value[node * self.seats + s] = 0
        self.sibling[node] = -1
        if parent >= 0:
            self.c_link(parent, node)
        return node

    def c_link(self, parent: int, node: int) -> None:
        self.sibling[node] = self.child[parent]
        self.child[parent] = node
        self.children[parent] += 1

    def c_find(self, parent: int, code: int) -> int:
        node = self.child[parent]
        while node >= 0 and self.code[node] != code:
            node = self.sibling[node]
        return node

    def keep(self, root: int) -> None:
        """Makes node `root` the root and drops what is not below it. Raises IndexError when there is no such node."""
        if not 0 <= root < self.n:
            raise IndexError(root)
        with cython.nogil:
            self.c_keep(root)

    def c_keep(self, root: int) -> None:
        """A child's number is higher than its parent's, so one pass forward moves every kept node down in place."""
        kept = 0
        for i in range(root, self.n):
            if i != root and (self.parent[i] < root or self.moved[self.parent[i]] < 0):
                self.moved[i] = -1
                continue
            parent = -1 if i == root else self.moved[self.parent[i]]
            self.moved[i] = kept
            self.code[kept] = self.code[i]
            self.parent[kept] = parent
            self.visits[kept] = self.visits[i]
            self.available[kept] = self.available[i]
            self.legal[kept] = self.legal[i]
            self.proven[kept] = self.proven[i]
            for s in range(self.seats):
                self.value[kept * self.seats + s] = self.value[i * self.seats + s]
            self.child[kept] = -1
            self.children[kept] = 0
            self.sibling[kept] = -1
            if parent >= 0:
                self.c_link(parent, kept)
            kept += 1
        self.n = kept

    def rows(self, parent: int = 0) -> list[tuple[int, int, int, list[float], int]]:
        """Per child of `parent`: node, code, visits, mean value by seat, team that surely wins or -1.

        Most visited first, equal ones by code. Raises IndexError when there is no such node.
        """
        if not 0 <= parent < self.n:
            raise IndexError(parent)
        rows = []
        node = self.child[parent]
        while node >= 0:
            visits = self.visits[node]
            means = [self.value[node * self.seats + s] / visits if visits else 0.0 for s in range(self.seats)]
            rows.append((node, self.code[node], visits, means, self.proven[node]))
            node = self.sibling[node]
        return sorted(rows, key=_rank)

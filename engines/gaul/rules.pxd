cimport cython

from engines.core.rng cimport draw
from engines.core.state cimport Moves, State
from engines.gaul.board cimport Board, GaulRules
from libc.stdint cimport uint64_t

cdef int NONE
cdef int DEAL, PLAY, ACTION, DRAW, AISLING, OVER
cdef int ACT_SWAP, ACT_REMOVE, ACT_STEP, ACT_SPLIT, ACT_AISLING, ACT_DRAW
cdef int DECLINE_NEVER, DECLINE_ANY

cdef class Gaul(Board):
    @cython.locals(n=int, i=int, least=int, base=int)
    cdef void c_legal(self, Moves out) noexcept nogil
    @cython.locals(n=int, i=int, act=int, base=int)
    cdef void c_actions(self, Moves out) noexcept nogil
    @cython.locals(n=int, p=int, i=int, j=int, a=int, b=int, code=int, first=int, second=int, refs=int)
    cdef int c_swaps(self, Moves out) noexcept nogil
    @cython.locals(face=int)
    cdef int c_swappable(self, int seat, int i) noexcept nogil
    @cython.locals(i=int, base=int)
    cdef void c_weights(self, Moves out) noexcept nogil
    @cython.locals(i=int, d=int)
    cdef void c_apply(self, int code) noexcept nogil
    @cython.locals(act=int)
    cdef void c_play(self, int kind) noexcept nogil
    @cython.locals(d=int, some=int, stacks=int, seats=int, s=int, cards=int, i=int)
    cdef bint c_possible(self, int act) noexcept nogil
    @cython.locals(refs=int, pair=int, first=int, second=int)
    cdef void c_swap(self, int swap) noexcept nogil
    cdef void c_hand_over(self, int ref, int seat, int to) noexcept nogil
    @cython.locals(least=int, d=int)
    cdef int c_least(self, int without) noexcept nogil
    cdef void c_aisling_step(self) noexcept nogil
    @cython.locals(least=int, d=int, n=int, only=int)
    cdef void c_relocate(self) noexcept nogil
    @cython.locals(tool=int, symbols=int, s=int, i=int)
    cdef void c_scoring(self) noexcept nogil
    @cython.locals(s=int, i=int, kept=int, face=int, colour=int)
    cdef void c_score_tool(self, int tool) noexcept nogil
    cdef void c_end_turn(self) noexcept nogil
    @cython.locals(s=int, i=int, _=int, n=int, kind=int, left=int)
    cdef void c_redeal(self, int viewer, uint64_t key, uint64_t index) noexcept nogil
    cpdef redeal(self, int viewer, uint64_t key, uint64_t index)
    @cython.locals(other=Gaul)
    cpdef State blank(self)

@cython.locals(state=Gaul)
cpdef Gaul start(GaulRules rules)

@cython.locals(state=Gaul)
cpdef Gaul load(GaulRules rules, snapshot)

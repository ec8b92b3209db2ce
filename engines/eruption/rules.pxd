cimport cython
from libc.stdint cimport uint64_t

from engines.core.rng cimport draw
from engines.core.state cimport State
from engines.eruption.effect cimport Effect
from engines.eruption.tables cimport EruptionRules

cdef uint64_t ONE
cdef int ANNIHILATION, DEAL, DEAL_CODE, HEXES, NO_PURPOSE, NONE, OVER, PLY_LIMIT, ROW, SITES

cdef class Eruption(Effect):
    @cython.locals(s=int, m=int, c=int, k=int)
    cdef void c_start(self) noexcept nogil
    cdef void c_apply(self, int code) noexcept nogil
    @cython.locals(left=int, s=int, c=int, k=int, _=int)
    cdef void c_redeal(self, int viewer, uint64_t key, uint64_t index) noexcept nogil
    cdef void c_copy_from(self, State other) noexcept nogil
    cdef int c_seats(self) noexcept nogil
    cdef int c_score(self, int seat) noexcept nogil
    @cython.locals(s=int, rank=long)
    cdef long c_rank(self, int seat) noexcept nogil
    @cython.locals(s=int, place=int, own=long)
    cdef int c_place(self, int seat) noexcept nogil
    cdef int c_team(self, int seat) noexcept nogil
    cpdef redeal(self, int viewer, uint64_t key, uint64_t index)
    @cython.locals(other=Eruption)
    cpdef State blank(self)

@cython.locals(state=Eruption)
cpdef Eruption start(EruptionRules rules)

@cython.locals(state=Eruption)
cpdef Eruption load(EruptionRules rules, snapshot)

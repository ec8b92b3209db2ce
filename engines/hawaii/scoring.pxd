cimport cython
from libc.stdint cimport uint32_t

from engines.hawaii.legal cimport Legal

cdef int OVER, GOALS, GOAL_BONUS, SPEARS, GOAL_REDUCTION, GOAL_BONUS_VP, SPEAR_VP
cdef int END_VP, END_VP_TILE_VILLAGE, END_VP_FRUIT_VILLAGE, END_VP_FRUIT_REALM, END_VP_SURFER, END_VP_BOAT
cdef int END_VP_VILLAGE

@cython.locals(n=int)
cdef int c_bits(uint32_t mask) noexcept nogil

cdef class Scoring(Legal):
    @cython.locals(target=int)
    cdef bint c_meets_goal(self, int seat) noexcept nogil
    @cython.locals(s=int)
    cdef void c_score_round(self) noexcept nogil
    @cython.locals(best=int, second=int, leaders=int, s=int, total=int)
    cdef int c_goal_points(self, int seat) noexcept nogil
    @cython.locals(s=int)
    cdef void c_score_game(self) noexcept nogil
    cdef bint c_valid(self, int seat, int village) noexcept nogil
    @cython.locals(found=int, v=int)
    cdef int c_in_villages(self, int seat, uint32_t kinds, bint short_ones_too) noexcept nogil
    @cython.locals(count=int, v=int)
    cdef int c_valid_villages(self, int seat) noexcept nogil
    @cython.locals(kind=int, level=int, points=int, fruits=int, surfers=int, boats=int)
    cdef int c_tile_points(self, int seat, int village, int i) noexcept nogil
    cdef int c_kahuna_points(self, int seat, int village) noexcept nogil
    @cython.locals(points=int, v=int, i=int)
    cdef int c_end_points(self, int seat) noexcept nogil

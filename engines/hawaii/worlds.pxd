cimport cython
from libc.stdint cimport uint64_t

from engines.core.rng cimport draw
from engines.hawaii.course cimport Course

cdef int TURN, PAY_WALK, BUY, PAY_PRICE, PAY_TRIP, COLLECT, OVER, SHELLS, FEET, FRUIT
cdef int DRAWS, GOODS_DRAWS
cdef int GOALS, GOAL_BONUS, SPEARS, ISLANDS, FIRST_SPOT
cdef int INCOME_SHELLS, ANY_PER_ROUND, GOAL_BONUS_VP, SPEAR_VP

@cython.locals(one=int, other=int)
cdef int c_small(uint64_t key, uint64_t index, int most) noexcept nogil

cdef class Worlds(Course):
    @cython.locals(s=int, i=int)
    cdef void c_redeal(self, int viewer, uint64_t key, uint64_t index) noexcept nogil
    @cython.locals(i=int, seat=int, dock=int)
    cdef void c_draw_islands(self, int viewer, uint64_t key, uint64_t index) noexcept nogil
    @cython.locals(i=int)
    cdef bint c_visited(self, int island) noexcept nogil
    cdef int c_scored_rounds(self) noexcept nogil
    @cython.locals(met=int, r=int, way=int, spears=int, t=int)
    cdef void c_draw_points(self, int seat, uint64_t key, uint64_t index) noexcept nogil
    @cython.locals(most=int, r=int, i=int)
    cdef int c_most(self, int seat, int resource) noexcept nogil
    @cython.locals(seat=int, shells=int, feet=int, fruit=int)
    cdef bint c_can_go_on(self) noexcept nogil
    @cython.locals(seat=int, shells=int, feet=int, more=int, f=int)
    cdef void c_raise(self) noexcept nogil
    cpdef redeal(self, int viewer, uint64_t key, uint64_t index)
    cpdef tuple most_goods(self, int seat)

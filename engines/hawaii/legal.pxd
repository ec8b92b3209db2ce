cimport cython
from libc.stdint cimport uint32_t

from engines.core.state cimport Moves
from engines.hawaii.board cimport Board

cdef int DRAW_AREAS, DRAW_ISLANDS, TURN, PAY_WALK, BUY, PAY_PRICE, PLACE, PAY_TRIP, TAKE_FISH, COLLECT, OVER
cdef int SHELLS, FEET, FRUIT, ANY_PER_ROUND, BEACH, POSITIONS
cdef int WALK_CODE, FISH_CODE, SAIL_CODE, PASS_CODE, RETURN_CODE, PAY_CODE, BUY_CODE, PLACE_CODE, TAKE_FISH_CODE
cdef int TAKE_TILE_CODE, COLLECT_CODE, DRAW_AREA_CODE, DRAW_ISLAND_CODE, DRAW_TOKEN_CODE

cdef class Legal(Board):
    cdef void c_legal(self, Moves out) noexcept nogil
    @cython.locals(i=int)
    cdef void c_weights(self, Moves out) noexcept nogil
    @cython.locals(n=int, i=int)
    cdef void c_draws(self, Moves out) noexcept nogil
    @cython.locals(seat=int, n=int, area=int, position=int, i=int)
    cdef void c_turn(self, Moves out) noexcept nogil
    @cython.locals(start=int, one=int, two=int, boats=int, real=int, feet=int, number=int)
    cdef int c_fishing(self, Moves out, int seat, int n) noexcept nogil
    @cython.locals(dock=int, start=int, one=int, two=int, boats=int, real=int)
    cdef int c_sailing(self, Moves out, int seat, int n) noexcept nogil
    cdef int c_real_capacity(self, int start, int one, int two) noexcept nogil
    cdef int c_prepaid(self, int start, int one, int two) noexcept nogil
    @cython.locals(seat=int, cap=int, due=int, shells=int, feet=int, fruit=int, s=int, f=int, u=int, best=int, n=int)
    cdef void c_payments(self, Moves out, int natural, bint walking) noexcept nogil
    @cython.locals(seat=int, p=int, n=int, k=int, level=int, i=int, price=int, cap=int, kinds=uint32_t)
    cdef void c_purchases(self, Moves out) noexcept nogil
    @cython.locals(n=int, i=int, kinds=uint32_t)
    cdef void c_small(self, Moves out) noexcept nogil
    @cython.locals(n=int, s=int, f=int, due=int)
    cdef void c_collections(self, Moves out) noexcept nogil

cimport cython
from libc.stdint cimport uint32_t

from engines.hawaii.dealing cimport Dealing

cdef int DRAW_AREAS, TURN, PAY_WALK, BUY, PAY_PRICE, PLACE, PAY_TRIP, TAKE_FISH, TAKE_TILE, COLLECT, OVER, BEACH
cdef int PASSED, NO_TRIP, FISHING, SAILING, SHELLS, FEET, FRUIT, ISLANDS, FIRST_SPOT, POSITIONS, INCOME_SHELLS
cdef int INCOME_FEET, INCOME_FRUIT, ANY_PER_ROUND, EXCHANGE, STANDING, FISH_CODE, SAIL_CODE, PASS_CODE, RETURN_CODE
cdef int PAY_CODE, BUY_CODE, PLACE_CODE, TAKE_FISH_CODE, TAKE_TILE_CODE, COLLECT_CODE, DRAW_AREA_CODE
cdef int DRAW_ISLAND_CODE, DRAW_TOKEN_CODE
cdef uint32_t ONE

cdef class Course(Dealing):
    @cython.locals(s=int, i=int)
    cdef void c_start(self) noexcept nogil
    @cython.locals(number=int)
    cdef void c_apply(self, int code) noexcept nogil
    cdef void c_walk(self, int area) noexcept nogil
    @cython.locals(start=int, one=int, two=int)
    cdef int c_launch(self, int fleet, int trip) noexcept nogil
    cdef void c_pass(self, int spot) noexcept nogil
    cdef void c_take_token(self, int token) noexcept nogil
    @cython.locals(shells=int, feet=int, fruit=int, seat=int)
    cdef void c_pay(self, int amounts) noexcept nogil
    @cython.locals(p=int, i=int)
    cdef void c_buy(self, int kind, int level, int token) noexcept nogil
    cdef void c_take_stock(self, int kind) noexcept nogil
    @cython.locals(seat=int)
    cdef void c_gain(self, int kind, int level) noexcept nogil
    @cython.locals(e=int)
    cdef void c_lay(self, int seat, int village, int kind, int side) noexcept nogil
    cdef void c_haul(self) noexcept nogil
    @cython.locals(fish=int)
    cdef int c_fewest_fish(self) noexcept nogil
    @cython.locals(fish=int, t=int)
    cdef bint c_one_sort_of_fish(self) noexcept nogil
    @cython.locals(t=int)
    cdef void c_take_fish(self, int fish) noexcept nogil
    @cython.locals(seat=int, island=int, kinds=uint32_t, k=int)
    cdef void c_visit(self) noexcept nogil
    cdef void c_clear_pending(self) noexcept nogil
    @cython.locals(i=int, k=int, seat=int)
    cdef void c_end_turn(self) noexcept nogil
    @cython.locals(i=int, s=int)
    cdef void c_end_round(self) noexcept nogil
    @cython.locals(i=int)
    cdef void c_next_collector(self) noexcept nogil
    @cython.locals(s=int, i=int, n=int)
    cdef void c_start_round(self) noexcept nogil
    @cython.locals(s=int, i=int)
    cdef void c_clear_round(self) noexcept nogil

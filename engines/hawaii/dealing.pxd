cimport cython
from libc.stdint cimport uint32_t

from engines.hawaii.scoring cimport Scoring

cdef int DRAW_ISLANDS, DRAW_LIMITS, DRAW_ORDER, DRAW_PRICES, POSITIONS, TURN
cdef uint32_t ONE

cdef class Dealing(Scoring):
    @cython.locals(i=int)
    cdef void c_deal_area(self, int area) noexcept nogil
    @cython.locals(i=int)
    cdef int c_empty_dock(self) noexcept nogil
    cdef void c_deal_island(self, int island) noexcept nogil
    cdef void c_islands_dealt(self) noexcept nogil
    cdef void c_deal_token(self, int token) noexcept nogil
    @cython.locals(p=int)
    cdef int c_open_position(self) noexcept nogil
    @cython.locals(total=int, i=int, limit=int)
    cdef bint c_keeps_limit(self, int position, int token) noexcept nogil
    @cython.locals(i=int)
    cdef void c_insert_area(self, int position, int token) noexcept nogil
    @cython.locals(i=int)
    cdef int c_insert_order(self, int token) noexcept nogil
    @cython.locals(i=int)
    cdef void c_order_dealt(self) noexcept nogil

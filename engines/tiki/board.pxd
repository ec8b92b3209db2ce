cimport cython
from libc.stdint cimport int8_t, int16_t, uint64_t

from engines.core.state cimport Rules, State

cdef int CHANCE, TERMINAL
cdef int ACTION, RESOLVE, SHAMAN, OVER

cdef struct Data:
    int16_t turn, history_n
    int8_t phase, starter, turn_seat, reserve, spoiled, shaman, resolving, sudden, reason
    int8_t layout[9]
    int8_t stack[9]
    int8_t hands[2]
    int8_t fruits[2]

@cython.final
cdef class TikiRules(Rules):
    cdef readonly tuple tiles
    cdef readonly int n_tiles, fruits, win_fruits, tikis, starter, turn_limit, repetition_limit
    cdef readonly bint fixed_layout, return_all, shaman
    cdef int8_t tile_fruits[16]
    cdef int8_t tile_shaman[16]
    cdef int8_t tile_copies[16]
    cdef int8_t layout[9]

@cython.final
@cython.no_gc
cdef class History:
    cdef uint64_t packed[1001]

@cython.no_gc
cdef class Board(State):
    cdef readonly TikiRules rules
    cdef Data d
    cdef History history
    cdef int c_actor(self) noexcept nogil
    @cython.locals(u=int)
    cdef int c_next_village(self) noexcept nogil
    @cython.locals(left=int, u=int)
    cdef int c_copies_left(self, int tile) noexcept nogil
    @cython.locals(packed=uint64_t, u=int)
    cdef uint64_t c_packed(self) noexcept nogil
    @cython.locals(i=int)
    cdef void c_copy_from(self, State other) noexcept nogil
    cdef int c_seats(self) noexcept nogil
    cdef int c_score(self, int seat) noexcept nogil
    cdef int c_place(self, int seat) noexcept nogil

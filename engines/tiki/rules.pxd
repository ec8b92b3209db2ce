cimport cython
from libc.stdint cimport int8_t, uint16_t, uint64_t

from engines.core.state cimport Moves, State
from engines.tiki.board cimport Board, History, TikiRules

cdef int SETUP_LAYOUT, SETUP_FIRST, ACTION, RESOLVE, SHAMAN, OVER
cdef int FOUR_FRUITS, RESERVE_EMPTY, SUDDEN_GAIN, SUDDEN_LOSS, TURN_LIMIT, REPETITION, NO_FRUIT_LEFT
cdef int MOVE_CODE, TWO_STEPS_CODE, PASS_CODE, RESOLVE_CODE, PLACE_SHAMAN_CODE, DECLINE_CODE, LAY_CODE, FIRST_CODE
cdef int EMPTY, FULL

cdef int8_t PATH[68][3]
cdef uint16_t PATH_GAPS[68]
cdef int8_t PATH_START[2][10]

cdef class Tiki(Board):
    @cython.locals(u=int, s=int)
    cdef void c_start(self) noexcept nogil
    cdef void c_layout_done(self) noexcept nogil
    cdef void c_begin(self, int starter) noexcept nogil
    @cython.locals(n=int, u=int, g=int, t=int)
    cdef void c_legal(self, Moves out) noexcept nogil
    @cython.locals(seat=int, n=int, u=int, p=int, steps=int, stack=int, blocked=int)
    cdef void c_actions(self, Moves out) noexcept nogil
    @cython.locals(i=int)
    cdef void c_weights(self, Moves out) noexcept nogil
    @cython.locals(seat=int, u=int)
    cdef void c_apply(self, int code) noexcept nogil
    @cython.locals(s=int, u=int, stack=int)
    cdef void c_carry(self, int path, bint two_steps) noexcept nogil
    @cython.locals(full=int, village=int, u=int)
    cdef void c_settle(self) noexcept nogil
    @cython.locals(owner=int, tile=int, n=int, gain=int, loss=int)
    cdef bint c_resolve(self, int u) noexcept nogil
    @cython.locals(stack=int, purple=int)
    cdef void c_send_home(self, int u) noexcept nogil
    @cython.locals(returned=int)
    cdef void c_end_check(self, int owner, int gain, int loss) noexcept nogil
    cdef void c_finish(self, int reason) noexcept nogil
    cdef void c_end_turn(self) noexcept nogil
    cdef void c_next_turn(self) noexcept nogil
    @cython.locals(packed=uint64_t, times=int, i=int)
    cdef void c_remember(self) noexcept nogil
    @cython.locals(other=Tiki)
    cpdef State blank(self)

@cython.locals(state=Tiki)
cpdef Tiki start(TikiRules rules)

@cython.locals(state=Tiki)
cpdef Tiki load(TikiRules rules, snapshot)

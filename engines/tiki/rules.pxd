cimport cython
from libc.stdint cimport int8_t, int16_t, uint16_t, uint64_t

from engines.core.state cimport Moves, Rules, State

cdef int CHANCE, TERMINAL
cdef int SETUP_LAYOUT, SETUP_FIRST, ACTION, RESOLVE, SHAMAN, OVER
cdef int FOUR_FRUITS, RESERVE_EMPTY, SUDDEN_GAIN, SUDDEN_LOSS, TURN_LIMIT, REPETITION, NO_FRUIT_LEFT
cdef int MOVE_CODE, TWO_STEPS_CODE, PASS_CODE, RESOLVE_CODE, PLACE_SHAMAN_CODE, DECLINE_CODE, LAY_CODE, FIRST_CODE
cdef int EMPTY, FULL

cdef int8_t PATH[68][3]
cdef uint16_t PATH_GAPS[68]
cdef int8_t PATH_START[2][10]

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
cdef class Tiki(State):
    cdef readonly TikiRules rules
    cdef Data d
    cdef History history
    @cython.locals(u=int, s=int)
    cdef void c_start(self) noexcept nogil
    cdef void c_layout_done(self) noexcept nogil
    cdef void c_begin(self, int starter) noexcept nogil
    cdef int c_actor(self) noexcept nogil
    @cython.locals(n=int, u=int, g=int, t=int)
    cdef void c_legal(self, Moves out) noexcept nogil
    @cython.locals(seat=int, n=int, u=int, p=int, steps=int, stack=int, blocked=int)
    cdef void c_actions(self, Moves out) noexcept nogil
    @cython.locals(u=int)
    cdef int c_next_village(self) noexcept nogil
    @cython.locals(left=int, u=int)
    cdef int c_copies_left(self, int tile) noexcept nogil
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
    @cython.locals(packed=uint64_t, u=int)
    cdef uint64_t c_packed(self) noexcept nogil
    @cython.locals(i=int)
    cdef void c_copy_from(self, State other) noexcept nogil
    cdef int c_seats(self) noexcept nogil
    cdef int c_score(self, int seat) noexcept nogil
    cdef int c_place(self, int seat) noexcept nogil
    @cython.locals(other=Tiki)
    cpdef State blank(self)

@cython.locals(state=Tiki)
cpdef Tiki start(TikiRules rules)

@cython.locals(state=Tiki)
cpdef Tiki load(TikiRules rules, snapshot)

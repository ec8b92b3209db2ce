cimport cython
from libc.stdint cimport uint64_t

from engines.eruption.legal cimport Legal

cdef uint64_t ONE
cdef int NONE, ROW, USED, ANNIHILATION, CLANS
cdef int STARTER, REVEAL, DAMAGE_ROLL, ERUPTION_PLACE, TILE_DRAW, TILE_PICK, TILE_PLACE, EXTRA_TILE, CARD_DRAW, ACTION
cdef int QUAKE_PLACE, BUILD, DISCARD, OVER
cdef int NO_PURPOSE, FOR_TURN, FOR_ZONE, FOR_QUAKE
cdef int NO_RESUME, TO_TILES, TO_AFTER, TO_ACTIONS
cdef int NO_REVEAL, TO_SETUP, TO_PICK
cdef int BURNT, STACK, LAST_STANDING, STALEMATE

cdef class Turn(Legal):
    @cython.locals(k=int, temp=int)
    cdef void c_heat(self, int seat, int degrees) noexcept nogil
    @cython.locals(m=int)
    cdef void c_gain(self, int seat, int material) noexcept nogil
    cdef void c_discard_card(self, int seat, int card) noexcept nogil
    @cython.locals(k=int, total=int, p=int)
    cdef void c_refill(self) noexcept nogil
    @cython.locals(k=int, p=int)
    cdef void c_trash_stack(self) noexcept nogil
    @cython.locals(p=int)
    cdef bint c_no_tile_left(self) noexcept nogil
    @cython.locals(e=int, v=int, open_flows=int)
    cdef void c_begin_turn(self, int seat) noexcept nogil
    @cython.locals(e=int, v=int)
    cdef void c_next_damage_roll(self, int first) noexcept nogil
    @cython.locals(k=int)
    cdef int c_held_tile(self, int seat) noexcept nogil
    @cython.locals(k=int)
    cdef void c_eruption_step(self) noexcept nogil
    cdef void c_start_placement(self, int purpose) noexcept nogil
    @cython.locals(kinds=int, p=int, shown=int)
    cdef void c_draw_step(self) noexcept nogil
    @cython.locals(resume=int)
    cdef void c_reveal_step(self) noexcept nogil
    @cython.locals(n=int, d=int)
    cdef int c_count(self, int edges) noexcept nogil
    cdef int c_put(self, int h, int kind, int rot) noexcept nogil
    @cython.locals(h=int, rot=int, n=int)
    cdef void c_settle(self) noexcept nogil
    cdef void c_drop_tile(self) noexcept nogil
    @cython.locals(tile=int)
    cdef void c_all_held(self) noexcept nogil
    @cython.locals(c=int)
    cdef void c_draw_cards(self, int count, int resume) noexcept nogil
    @cython.locals(purpose=int)
    cdef void c_after_placement(self) noexcept nogil
    @cython.locals(count=int)
    cdef void c_action_start(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void c_action_loop(self) noexcept nogil
    @cython.locals(seat=int, builds=int)
    cdef void c_build_loop(self) noexcept nogil
    cdef void c_discard_loop(self) noexcept nogil
    cdef void c_finish(self, int reason) noexcept nogil
    cdef void c_end_turn(self) noexcept nogil
    @cython.locals(seat=int, s=int, out=bint)
    cdef void c_end_of_turn(self) noexcept nogil
    @cython.locals(s=int, n=int)
    cdef int c_others(self, int team) noexcept nogil
    @cython.locals(seat=int, k=int)
    cdef void c_end_of_annihilation_turn(self) noexcept nogil

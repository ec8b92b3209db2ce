cimport cython
from libc.stdint cimport uint16_t

from engines.core.state cimport Moves
from engines.kilauea.effect cimport CHOICE_CODE, CHOICES, Effects

cdef int FOREST, TIKI, REEF, HEART, STARTER, DRAFT, ADVANCE, MAIN, FELL2, SUB, STEP, OVER
cdef int NOWHERE, IN_REEF, IN_HEART, FORESTS, LIMIT
cdef int DRAFT_CODE, ADVANCE_CODE, FELL_CODE, STOP_CODE, VOLCANO_CODE, ISLAND_CODE, USE_CODE, COPY_CODE, END_CODE
cdef int DRAW_FOREST_CODE, DRAW_TIKI_CODE, DRAW_REEF_CODE, DRAW_HEART_CODE, DRAW_STARTER_CODE
cdef int MAX_COLOURS, MAX_SPACES, FACES, TILES, NUMBERS
cdef uint16_t ONE

cdef class Turns(Effects):
    @cython.locals(t=int, c=int, x=int)
    cdef void c_start(self) noexcept nogil
    @cython.locals(tile=int, op=int, choice=int, t=int, c=int)
    cdef void c_legal(self, Moves out) noexcept nogil
    cdef void c_add(self, Moves out, int code) noexcept nogil
    @cython.locals(at=int, face=int, c=int, tile=int, first=int, seat=int)
    cdef void c_draws(self, Moves out) noexcept nogil
    @cython.locals(t=int)
    cdef bint c_board_lies(self, int board) noexcept nogil
    @cython.locals(i=int, code=int)
    cdef void c_weights(self, Moves out) noexcept nogil
    @cython.locals(keep_main=int, distance=int, cost=int)
    cdef void c_advances(self, Moves out) noexcept nogil
    @cython.locals(seat=int, t=int, c=int)
    cdef bint c_has_main(self, int space, int cost) noexcept nogil
    cdef int c_section_here(self) noexcept nogil
    @cython.locals(t=int, x=int)
    cdef void c_fellings(self, Moves out) noexcept nogil
    @cython.locals(seat=int, t=int, most=int, c=int, stones=int)
    cdef void c_mains(self, Moves out) noexcept nogil
    cdef void c_apply(self, int code) noexcept nogil
    cdef void c_go_on(self) noexcept nogil
    @cython.locals(at=int, c=int, tile=int, i=int)
    cdef void c_draw(self, int code) noexcept nogil
    cdef void c_enter(self, int stage) noexcept nogil
    cdef void c_seek_space(self, int at) noexcept nogil
    @cython.locals(n=int, done=int)
    cdef void c_draft(self, int pillar) noexcept nogil
    cdef void c_advance(self, int distance) noexcept nogil
    @cython.locals(first=bint, t=int)
    cdef void c_fell(self, int x) noexcept nogil
    cdef void c_after_felling(self) noexcept nogil
    @cython.locals(seat=int, t=int, c=int)
    cdef void c_build(self, int code) noexcept nogil
    @cython.locals(tile=int)
    cdef void c_after_action(self) noexcept nogil
    @cython.locals(empty=int)
    cdef void c_end_turn(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void c_score_sections(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void c_finish(self, int reason) noexcept nogil

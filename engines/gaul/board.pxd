cimport cython
from libc.stdint cimport int8_t, int16_t, int32_t

from engines.core.state cimport Rules, State

cdef int CHANCE, TERMINAL, NONE
cdef int DEAL, DRAW, OVER

cdef struct Data:
    int32_t score[4]
    int16_t stock_n
    int8_t phase, round, turn, aisling, in_play
    int8_t menhirs[8]
    int8_t hand_n[4]
    int8_t charged_n[4]
    int8_t exhausted[4]
    int8_t hand[4][20]
    int8_t charged[4][20]
    int8_t stock[128]

@cython.final
cdef class GaulRules(Rules):
    cdef readonly tuple districts, places, tools, cards, faces, pairs, steps, splits, crosses
    cdef readonly dict kind_of, face_of
    cdef readonly int n_districts, n_kinds, n_faces, n_pairs, n_steps, n_splits, n_crosses
    cdef readonly int rounds, hand, trigger, points_per_menhir, aisling_bonus, menhirs_total, cards_total
    cdef readonly int decline, swap_code, remove_code, step_code, split_code, cross_code, aisling_code, decline_code
    cdef readonly int deal_code, draw_code
    cdef readonly bint any_played, swap_self
    cdef int8_t menhirs[8]
    cdef int8_t kind_face[128]
    cdef int8_t kind_action[128]
    cdef int8_t kind_copies[128]
    cdef int8_t face_colour[63]
    cdef int8_t face_tool[63]
    cdef int8_t face_symbols[63]
    cdef int8_t pair[6][2]
    cdef int8_t step[56][2]
    cdef int8_t split[168][3]
    cdef int8_t cross[840][4]

@cython.no_gc
cdef class Board(State):
    cdef readonly GaulRules rules
    cdef Data d
    @cython.locals(i=int)
    cdef void c_start(self) noexcept nogil
    cdef int c_actor(self) noexcept nogil
    @cython.locals(s=int)
    cdef int c_dealt_to(self) noexcept nogil
    @cython.locals(i=int)
    cdef void c_to_hand(self, int seat, int kind) noexcept nogil
    @cython.locals(i=int)
    cdef void c_from_hand(self, int seat, int kind) noexcept nogil
    @cython.locals(i=int)
    cdef void c_charge(self, int seat, int face) noexcept nogil
    @cython.locals(i=int)
    cdef void c_uncharge(self, int seat, int face) noexcept nogil
    cdef void c_copy_from(self, State other) noexcept nogil
    cdef int c_seats(self) noexcept nogil
    cdef int c_score(self, int seat) noexcept nogil
    @cython.locals(place=int, s=int)
    cdef int c_place(self, int seat) noexcept nogil
    cpdef tuple stage(self)
    cpdef int receiver(self)

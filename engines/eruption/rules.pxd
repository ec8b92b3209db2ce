cimport cython
from libc.stdint cimport uint64_t

from engines.core.rng cimport draw
from engines.core.state cimport State
from engines.eruption.tables cimport EruptionRules
from engines.eruption.turn cimport Turn

cdef uint64_t ONE
cdef int HEXES, FLOW_SITES, SITES, NONE, ROW, USED, ANNIHILATION, CLANS
cdef int DEAL, STARTER, TILE_ROLL, AFTERSHOCK, SINKHOLE, BOMB, RELOCATE, REINFORCE, QUAKE_PLACE, DAMAGE_ROLL, BUILD, OVER
cdef int REVEAL, TILE_PLACE
cdef int FOR_ZONE, FOR_CARD, FOR_PAIR, FOR_QUAKE, NO_PURPOSE
cdef int TO_TILES, TO_ACTIONS, TO_SETUP, TO_PLACE
cdef int PLY_LIMIT
cdef int AFTERSHOCK_CARD, QUAKE_CARD, SINKHOLE_CARD, RAIN_CARD, BOMB_CARD, LAVA_FLOW_CARD, RELOCATE_CARD
cdef int PICK_CODE, PLACE_CODE, TAKE_EXTRA_CODE, SKIP_EXTRA_CODE, END_ACTIONS_CODE, PLAY_CODE
cdef int TRADE_CODE, PAIR_CODE, GIVE_WALL_CODE, GIVE_CARD_CODE, ROTATE_CODE, REMOVE_TILE_CODE, REPLACE_CODE
cdef int REMOVE_WALL_CODE, RELOCATE_CODE, BUILD_CODE, END_BUILD_CODE, DISCARD_CODE, DEAL_CODE, REVEAL_CODE
cdef int STARTER_CODE, ROLL_CODE, DRAW_TILE_CODE, DRAW_CARD_CODE

@cython.no_gc
cdef class Eruption(Turn):
    @cython.locals(s=int, m=int, c=int, k=int)
    cdef void c_start(self) noexcept nogil
    cdef void c_apply(self, int code) noexcept nogil
    @cython.locals(seat=int)
    cdef void c_seat_move(self, int code) noexcept nogil
    cdef void c_tile_move(self, int code) noexcept nogil
    @cython.locals(seat=int, s=int, k=int, n=int, team=int)
    cdef void c_erupt(self, int h) noexcept nogil
    cdef void c_pick(self, int p) noexcept nogil
    @cython.locals(h=int, walls=int)
    cdef void c_place_tile(self, int target) noexcept nogil
    @cython.locals(d=int)
    cdef int c_first_bit(self, int edges, int first) noexcept nogil
    @cython.locals(seat=int, temp=int)
    cdef void c_play(self, int card) noexcept nogil
    @cython.locals(v=int, e=int, site=int)
    cdef void c_lift_walls(self) noexcept nogil
    cdef void c_trade(self, int card) noexcept nogil
    @cython.locals(kind=int, before=int, h=int)
    cdef void c_turn_tile(self, int target) noexcept nogil
    cdef void c_remove_tile(self, int h) noexcept nogil
    @cython.locals(before=int, h=int)
    cdef void c_replace_tile(self, int target) noexcept nogil
    @cython.locals(e=int, m=int)
    cdef void c_relocate(self, int parameter) noexcept nogil
    @cython.locals(m=int)
    cdef void c_build(self, int parameter) noexcept nogil
    @cython.locals(s=int, c=int, p=int)
    cdef void c_chance(self, int code) noexcept nogil
    @cython.locals(v=int, site=int, m=int, lost=bint)
    cdef void c_roll(self, int lava, int white) noexcept nogil
    cdef void c_draw_tile(self, int kind) noexcept nogil
    cdef void c_draw_card(self, int seat, int card) noexcept nogil
    @cython.locals(left=int, s=int, c=int, k=int, _=int)
    cdef void c_redeal(self, int viewer, uint64_t key, uint64_t index) noexcept nogil
    cdef void c_copy_from(self, State other) noexcept nogil
    cdef int c_seats(self) noexcept nogil
    cdef int c_score(self, int seat) noexcept nogil
    @cython.locals(s=int, rank=long)
    cdef long c_rank(self, int seat) noexcept nogil
    @cython.locals(s=int, place=int, own=long)
    cdef int c_place(self, int seat) noexcept nogil
    cdef int c_team(self, int seat) noexcept nogil
    cpdef redeal(self, int viewer, uint64_t key, uint64_t index)
    @cython.locals(other=Eruption)
    cpdef State blank(self)

@cython.locals(state=Eruption)
cpdef Eruption start(EruptionRules rules)

@cython.locals(state=Eruption)
cpdef Eruption load(EruptionRules rules, snapshot)

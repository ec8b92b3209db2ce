cimport cython

from engines.eruption.turn cimport Turn

cdef int AFTERSHOCK, AFTERSHOCK_CARD, BOMB, BOMB_CARD, BUILD, BUILD_CODE, DAMAGE_ROLL, DEAL_CODE, DISCARD_CODE
cdef int DRAW_CARD_CODE, DRAW_TILE_CODE, END_ACTIONS_CODE, END_BUILD_CODE, FLOW_SITES, FOR_CARD, FOR_PAIR
cdef int FOR_QUAKE, FOR_ZONE, GIVE_CARD_CODE, GIVE_WALL_CODE, LAVA_FLOW_CARD, NO_PURPOSE, NONE, PAIR_CODE
cdef int PICK_CODE, PLACE_CODE, PLAY_CODE, QUAKE_CARD, QUAKE_PLACE, RAIN_CARD, REINFORCE, RELOCATE
cdef int RELOCATE_CARD, RELOCATE_CODE, REMOVE_TILE_CODE, REMOVE_WALL_CODE, REPLACE_CODE, REVEAL_CODE, ROLL_CODE
cdef int ROTATE_CODE, SINKHOLE, SINKHOLE_CARD, SKIP_EXTRA_CODE, STARTER, STARTER_CODE, TAKE_EXTRA_CODE
cdef int TILE_PLACE, TILE_ROLL, TO_ACTIONS, TO_PLACE, TO_SETUP, TO_TILES, TRADE_CODE, USED

cdef class Effect(Turn):
    @cython.locals(seat=int)
    cdef void c_seat_move(self, int code) noexcept nogil
    cdef void c_tile_move(self, int code) noexcept nogil
    @cython.locals(seat=int, s=int, k=int, n=int)
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
    @cython.locals(m=int)
    cdef void c_relocate(self, int parameter) noexcept nogil
    @cython.locals(m=int)
    cdef void c_build(self, int parameter) noexcept nogil
    @cython.locals(s=int, p=int)
    cdef void c_chance(self, int code) noexcept nogil
    @cython.locals(v=int, h=int, site=int)
    cdef void c_roll(self, int lava, int white) noexcept nogil
    cdef void c_draw_tile(self, int kind) noexcept nogil
    cdef void c_draw_card(self, int seat, int card) noexcept nogil

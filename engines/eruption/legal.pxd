cimport cython
from libc.stdint cimport uint64_t

from engines.core.state cimport Moves, State
from engines.eruption.board cimport Board

cdef int CHANCE, TERMINAL, HEXES, FLOW_SITES, NONE, CLANS, SITES
cdef int DEAL, STARTER, REVEAL, DAMAGE_ROLL, ERUPTION_PLACE, TILE_DRAW, TILE_PICK, TILE_PLACE, TILE_ROLL, EXTRA_TILE
cdef int CARD_DRAW, ACTION, AFTERSHOCK, SINKHOLE, BOMB, RELOCATE, REINFORCE, QUAKE_PLACE, BUILD, DISCARD, OVER
cdef int AFTERSHOCK_CARD, QUAKE_CARD, SINKHOLE_CARD, RAIN_CARD, BOMB_CARD, LAVA_FLOW_CARD, RELOCATE_CARD
cdef int PLACE_ERUPTION_CODE, PICK_CODE, PLACE_CODE, TAKE_EXTRA_CODE, SKIP_EXTRA_CODE, END_ACTIONS_CODE, PLAY_CODE
cdef int TRADE_CODE, PAIR_CODE, GIVE_WALL_CODE, GIVE_CARD_CODE, ROTATE_CODE, REMOVE_TILE_CODE, REPLACE_CODE
cdef int REMOVE_WALL_CODE, RELOCATE_CODE, BUILD_CODE, END_BUILD_CODE, DISCARD_CODE, DEAL_CODE, REVEAL_CODE
cdef int STARTER_CODE, ROLL_CODE, DRAW_TILE_CODE, DRAW_CARD_CODE

cdef class Legal(Board):
    @cython.locals(phase=int)
    cdef int c_actor(self) noexcept nogil
    @cython.locals(phase=int)
    cdef void c_legal(self, Moves out) noexcept nogil
    @cython.locals(i=int)
    cdef void c_range(self, Moves out, int first, int count) noexcept nogil
    @cython.locals(c=int, n=int)
    cdef void c_cards(self, Moves out, int first, int seat) noexcept nogil
    @cython.locals(c=int, n=int)
    cdef void c_deck(self, Moves out, int first) noexcept nogil
    @cython.locals(s=int)
    cdef int c_dealt_seat(self) noexcept nogil
    @cython.locals(p=int)
    cdef int c_bare_pile(self) noexcept nogil
    @cython.locals(kinds=int, k=int, n=int, first=int)
    cdef void c_reveals(self, Moves out) noexcept nogil
    @cython.locals(kinds=int, k=int, n=int)
    cdef void c_draws(self, Moves out) noexcept nogil
    @cython.locals(kinds=int, p=int, n=int)
    cdef void c_picks(self, Moves out) noexcept nogil
    @cython.locals(h=int, n=int)
    cdef void c_eruptions(self, Moves out) noexcept nogil
    @cython.locals(h=int, rots=int, rot=int, n=int)
    cdef void c_placements(self, Moves out) noexcept nogil
    @cython.locals(rots=int)
    cdef int c_turns_of(self, int h) noexcept nogil
    @cython.locals(h=int, rots=int, rot=int, n=int)
    cdef void c_turnings(self, Moves out) noexcept nogil
    @cython.locals(h=int, rots=int, rot=int, n=int)
    cdef void c_replacements(self, Moves out) noexcept nogil
    @cython.locals(h=int, n=int)
    cdef void c_removals(self, Moves out) noexcept nogil
    @cython.locals(s=int, n=int)
    cdef void c_bombs(self, Moves out) noexcept nogil
    @cython.locals(left=int, first=int, e=int, m=int, n=int, code=int)
    cdef void c_relocations(self, Moves out) noexcept nogil
    @cython.locals(m=int)
    cdef int c_builds_at(self, Moves out, int n, int site) noexcept nogil
    @cython.locals(h=int, n=int, d=int, free=int, e=int, village=int)
    cdef void c_builds(self, Moves out, bint may_end) noexcept nogil
    @cython.locals(h=int)
    cdef bint c_can_turn(self) noexcept nogil
    @cython.locals(e=int, village=int)
    cdef bint c_walled_village(self, int seat) noexcept nogil
    cdef bint c_can_play(self, int card) noexcept nogil
    @cython.locals(m=int)
    cdef bint c_can_trade(self, int card) noexcept nogil
    @cython.locals(n=int, c=int, e=int, seat=int)
    cdef void c_actions(self, Moves out) noexcept nogil
    @cython.locals(n=int, s=int, i=int, seat=int)
    cdef void c_gifts(self, Moves out) noexcept nogil
    @cython.locals(i=int, phase=int)
    cdef void c_weights(self, Moves out) noexcept nogil

cimport cython
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint64_t

from engines.core.state cimport State
from engines.eruption.tables cimport TERNARY, EruptionRules

cdef int HEXES, FLOW_SITES, NONE, FOR_QUAKE, ANNIHILATION
cdef uint64_t ONE

ctypedef int8_t Queue[60]

cdef struct Data:
    uint64_t held
    int32_t ply
    int16_t target, walls
    int16_t temp[6]
    int8_t phase, turn_seat
    int8_t stock[3]
    int8_t hand_walls[6][3]
    int8_t hand_cards[6][8]
    int8_t hand_size[6]
    int8_t deck[8]
    int8_t card_discard[8]
    int8_t deck_size, discard_size
    int8_t stack[16]
    int8_t stack_size
    int8_t pile_size[3]
    int8_t pile_top[3]
    int8_t tile_discard[16]
    int8_t eruption[3]
    int8_t final_left, final_out, n_burnt
    int8_t burnt[6]
    int8_t burn_order[6]
    int8_t turn_quiet, quiet_turns
    int8_t reason, tile, tile_pile, roll_pos, roll_lost, draws_left, resume
    int8_t tray[3]
    int8_t tray_edge, builds_done, reveal_resume, reveal_restricted, ended_by
    int8_t kind[60]
    int8_t rot[60]
    uint8_t lava[60]
    uint8_t known[60]
    uint8_t facing[60]
    uint8_t walled[67]
    int8_t wall[444]

@cython.no_gc
cdef class Board(State):
    cdef readonly EruptionRules rules
    cdef Data d
    @cython.locals(h=int, s=int)
    cdef void c_clear_board(self) noexcept nogil
    cdef int c_rotations(self, int h, int kind) noexcept nogil
    cdef int c_fitting(self, int h) noexcept nogil
    @cython.locals(d=int, g=int, lava=int, bit=int)
    cdef void c_lay(self, int h, int kind, int rot) noexcept nogil
    @cython.locals(d=int, g=int, keep=int)
    cdef void c_lift(self, int h) noexcept nogil
    @cython.locals(seen=uint64_t, n=int, i=int, h=int, g=int, d=int, links=int, source=bint, queue=Queue)
    cdef bint c_connected(self, int without, int demoted) noexcept nogil
    @cython.locals(links=int)
    cdef bint c_is_end(self, int h) noexcept nogil
    @cython.locals(h=int, n=int)
    cdef int c_tiles(self) noexcept nogil
    @cython.locals(d=int, walls=int)
    cdef int c_walls_round(self, int h) noexcept nogil
    cdef void c_put_wall(self, int site, int material) noexcept nogil
    cdef int c_take_wall(self, int site) noexcept nogil
    cdef void c_unwall(self, int site) noexcept nogil
    @cython.locals(d=int)
    cdef void c_unwall_tile(self, int h) noexcept nogil
    @cython.locals(d=int)
    cdef void c_unwall_round(self, int h) noexcept nogil
    @cython.locals(site=int)
    cdef bint c_contact(self, int village, int e) noexcept nogil
    cdef int c_wall_at(self, int village, int e) noexcept nogil
    cdef int c_touched(self, int h) noexcept nogil
    cdef int c_open_flows(self, int h) noexcept nogil
    @cython.locals(d=int, free=int)
    cdef int c_open_mouths(self, int h) noexcept nogil
    @cython.locals(h=int, v=int, e=int)
    cdef bint c_has_site(self, int seat) noexcept nogil
    @cython.locals(kinds=int, k=int)
    cdef int c_avail(self) noexcept nogil
    @cython.locals(kinds=int, h=int)
    cdef int c_placeable(self, uint64_t held) noexcept nogil
    @cython.locals(kinds=int, h=int)
    cdef int c_replaceable(self, int wanted) noexcept nogil
    cdef int c_candidates(self) noexcept nogil
    cdef bint c_can_add_tile(self) noexcept nogil
    @cython.locals(h=int)
    cdef bint c_source_fits(self) noexcept nogil
    @cython.locals(k=int, zone=int)
    cdef int c_zone(self, int seat) noexcept nogil
    cdef bint c_dead(self, int seat) noexcept nogil
    @cython.locals(m=int, n=int)
    cdef int c_pieces_of(self, int seat) noexcept nogil
    @cython.locals(n=int, m=int, v=int, e=int)
    cdef int c_tie_points(self, int seat) noexcept nogil

cimport cython
from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t

from engines.core.state cimport Rules

cdef int HEXES, NONE, CLANS

cdef int16_t TERNARY[64]

cdef struct Tables:
    int16_t zone_start[3]
    int16_t eruption_space[3]
    int8_t walls_start[3]
    int8_t pieces[3]
    int8_t die_bonus[3]
    int8_t points[3]
    int8_t weaker[3]
    int8_t card_count[8]
    int8_t card_wall[8]
    int8_t tile_count[16]
    int8_t period[16]
    uint8_t shape[16][6]
    uint8_t fits[729][16]
    uint16_t fitting[729]
    int8_t pile_size[3]
    int8_t beside[67][6]
    uint8_t tile_edges[67]
    uint8_t mouth_edges[67]
    uint8_t rock_edges[60]
    uint8_t hot_edges[60]
    uint8_t shore_edges[60]
    int8_t resource[60]
    int16_t village_site[6][7]
    int8_t village[6]
    int8_t owner[6]
    int8_t team[6]

@cython.final
cdef class EruptionRules(Rules):
    cdef readonly object geometry
    cdef readonly tuple kinds
    cdef readonly int n_hexes, source, n_villages, mode, ply_limit
    cdef readonly bint forecast
    cdef readonly int damage_open_flow, damage_lost_wall, eruption_heat, rain, meter_step, meter_last
    cdef readonly int hand_start, hand_limit, builds_per_turn
    cdef readonly int extra_builds_from_zone, extra_card_from_zone, extra_tile_from_zone
    cdef Tables t

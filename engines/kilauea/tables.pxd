cimport cython
from libc.stdint cimport int8_t, uint16_t

from engines.core.state cimport Rules

@cython.final
cdef class KilaueaRules(Rules):
    cdef readonly tuple colours, flowers, faces
    cdef readonly int n_colours, canoe_tikis, canoe_stones, pillar_height, crater_start, volcano_stones_max
    cdef readonly int island_cost, max_seals, max_distance, longest_face
    cdef readonly int vp_tallest, vp_other, vp_all_islands, stones_per_vp, vp_canoe_tiki
    cdef readonly int intermediate_at, final_at, turn_limit, tikis_per_colour
    cdef readonly int start_space, track_length, lane_length
    cdef readonly bint marked_used, may_seal
    cdef int8_t n_space[10]
    cdef uint16_t usable[10]
    cdef uint16_t tile_row[10]
    cdef uint16_t before[10][12]
    cdef int8_t face_weight[10]
    cdef int8_t has_pillar[5][6]
    cdef int8_t lane[20]
    cdef int8_t lane_at[20]
    cdef int8_t space_section[20]
    cdef int8_t space_reef[20]
    cdef int8_t start_stones[4]
    # Effects by place (0 reef side, 1 volcano side) and tile 1..10.
    cdef int8_t cost[2][11]
    cdef int8_t n_steps[2][11]
    cdef int8_t step_op[2][11][6]
    cdef int8_t step_number[2][11][6]
    cdef int8_t sure_after[2][11][6]

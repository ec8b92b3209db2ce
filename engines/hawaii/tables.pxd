cimport cython
from libc.stdint cimport int8_t, int16_t, uint32_t

from engines.core.state cimport Rules

cdef int BEACH, POSITIONS, BOAT_CAPACITY, BOAT_PREPAID

@cython.final
cdef class HawaiiRules(Rules):
    cdef readonly tuple areas, kinds, kind_codes, kind_names, islands, tokens, positions
    cdef readonly int seats_max, n_rounds, n_kinds, n_types, n_islands, n_docks, n_villages, n_tikis
    cdef readonly int boat_kind, kahuna_kind, tiki_kind, start_hut, columns, printed_column, first_spot_vp
    cdef readonly int farthest, most_paid, most_collected
    cdef readonly bint path_return, turn_return, every_payment, row_skip, equal_stays, laka_all, by_resources
    cdef readonly bint open_hands, open_scores
    cdef int16_t start_goods[3]
    cdef int16_t start_fruit[5]
    cdef int16_t target[5]
    cdef int16_t goal_vp[5][3]
    cdef int16_t next_goods[5][2]
    cdef int8_t walk[11][10]
    cdef int8_t slots[10]
    cdef int8_t limit[10]
    cdef uint32_t sold[10]
    cdef int8_t value[16]
    cdef int8_t spear[16]
    cdef int8_t fish[16]
    cdef int8_t copies[16]
    cdef int8_t dock_cost[4]
    cdef int8_t dock_vp[4]
    cdef int8_t island_fruit[16]
    cdef int8_t island_vp[16]
    cdef uint32_t island_kinds[16]
    cdef int8_t level_price[2]
    cdef int8_t boat_capacity[3]
    cdef int8_t boat_prepaid[3]
    cdef int8_t tiki_column[8]
    cdef int8_t tiki_feet[8]
    cdef int8_t kahuna_vp[5]
    cdef int8_t kahuna_shells[5]
    cdef int8_t cls[32]
    cdef int8_t count[32]
    cdef int8_t width[32]
    cdef int8_t levels[32]
    cdef int8_t effect[32][2][18]
    cdef uint32_t huts, gods, fruits, surfers

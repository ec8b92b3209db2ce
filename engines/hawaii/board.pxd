cimport cython
from libc.stdint cimport int8_t, int16_t, int32_t, uint32_t

from engines.core.state cimport Moves, Rules, State
from engines.hawaii.tables cimport HawaiiRules

cdef int CHANCE, TERMINAL
cdef int TURN, OVER
cdef int SHELLS, FEET, FRUIT, ANY_PER_ROUND, EXCHANGE, WALK_DISCOUNT, POSITIONS
cdef uint32_t ONE

cdef struct Data:
    int32_t points[5][5]
    int32_t end[5]
    uint32_t mask[5][5]
    uint32_t hut_sums[5]
    uint32_t in_stock
    uint32_t islands_left
    int16_t goods[5][3]
    int16_t eff[5][9]
    int16_t width[5][5]
    int16_t total[5]
    int8_t phase, actor, round, cursor
    int8_t amount, walk_sub, kind, level, trip, take, dock, island
    int8_t order_n, queue_n, bay_n
    int8_t board[10]
    int8_t place[10]
    int8_t area_n[10]
    int8_t area[10][4]
    int8_t bag[16]
    int8_t bay[16]
    int8_t order_draw[4]
    int8_t spot_token[5]
    int8_t spot_seat[5]
    int8_t docks[4]
    int8_t stock[32]
    int8_t lost[32]
    int8_t order[5]
    int8_t queue[5]
    int8_t at[5]
    int8_t spot[5]
    int8_t kahunas[5]
    int8_t tikis[5]
    int8_t spears[5]
    int8_t boats[5][3]
    int8_t used[5][3]
    int8_t tokens[5][16]
    int8_t fish[5][16]
    int8_t tile_n[5][5]
    int8_t tiles[5][5][20]

@cython.no_gc
cdef class Board(State):
    cdef readonly HawaiiRules rules
    cdef Data d
    cdef int c_actor(self) noexcept nogil
    cdef int c_seats(self) noexcept nogil
    cdef void c_copy_from(self, State other) noexcept nogil
    @cython.locals(score=int, i=int)
    cdef int c_score(self, int seat) noexcept nogil
    @cython.locals(s=int, better=int)
    cdef int c_place(self, int seat) noexcept nogil
    @cython.locals(mine=int, theirs=int)
    cdef bint c_beats(self, int one, int other) noexcept nogil
    @cython.locals(cost=int)
    cdef int c_walk_cost(self, int seat, int position) noexcept nogil
    @cython.locals(total=int, c=int)
    cdef int c_left(self, int seat, int used) noexcept nogil
    cdef int c_cap(self) noexcept nogil
    cdef bint c_payable(self, int n, int natural, int fruit, int other, int cap) noexcept nogil
    @cython.locals(price=int)
    cdef bint c_can_buy(self, int seat, int position, int shells, int feet, int fruit, int used) noexcept nogil
    @cython.locals(cap=int, shells=int, feet=int, fruit=int, s=int, f=int, u=int, sub=int)
    cdef bint c_can_walk(self, int seat, int position, int n) noexcept nogil
    cdef bint c_feet_payable(self, int seat, int n) noexcept nogil
    @cython.locals(bit=uint32_t, mask=uint32_t, w=int)
    cdef bint c_fits(self, int seat, int village, int kind) noexcept nogil
    @cython.locals(v=int)
    cdef bint c_has_room(self, int seat, int kind) noexcept nogil
    @cython.locals(need=int, i=int)
    cdef int c_need(self, int seat) noexcept nogil
    @cython.locals(t=int)
    cdef int c_first_fish(self, int fish) noexcept nogil

cimport cython
from libc.stdint cimport int8_t, int16_t, int32_t, uint16_t, uint32_t

from engines.core.state cimport State
from engines.kilauea.tables cimport KilaueaRules

cdef int CHANCE, TERMINAL
cdef int DRAFT, OVER, ON_FLANK
cdef int MAX_COLOURS
cdef uint32_t ONE

cdef struct Data:
    int32_t vp[4]
    uint32_t sealed  # bit section * MAX_COLOURS + colour: the pillar bears a seal
    int16_t turn
    uint16_t pending  # bit of each tile on offer
    uint16_t filled[5]  # bit of each forest space that holds a tiki
    int8_t stage, seat, starter, crater, canoe, intermediate_done, reason
    int8_t cursor  # set-up: the section, slot or space (section * 12 + space) due; draft: drafts done
    int8_t tile, step, hand, home_kind, home_section, home_space, put_section, put_colour  # the effect
    int8_t n_seals
    int8_t seal[4]
    int8_t board[5]
    int8_t forest[5][12]
    int8_t pool[6]
    int8_t reef[5]
    int8_t heart[5]
    int8_t flank[5]
    int8_t lies[11]  # where each tile lies
    int8_t pillar[5][6]
    int8_t load[4]  # tikis in each canoe
    int8_t stones[4]
    int8_t tikis[4][6]
    int8_t island[4][5][6]
    int8_t removed[6]

cdef inline Data kept(Data d) noexcept nogil:
    return d

@cython.no_gc
cdef class Board(State):
    cdef readonly KilaueaRules rules
    cdef Data d
    cdef int c_actor(self) noexcept nogil
    cdef void c_copy_from(self, State other) noexcept nogil
    cdef int c_seats(self) noexcept nogil
    cdef int c_score(self, int seat) noexcept nogil
    @cython.locals(place=int, other=int)
    cdef int c_place(self, int seat) noexcept nogil
    @cython.locals(filled=int)
    cdef bint c_accessible(self, int t, int x) noexcept nogil
    cdef bint c_sealed(self, int t, int c) noexcept nogil
    cdef bint c_vput(self, int t, int c) noexcept nogil
    cdef bint c_vtake(self, int t, int c) noexcept nogil
    cdef bint c_iput(self, int seat, int t) noexcept nogil
    @cython.locals(n=int, c=int)
    cdef int c_stack(self, int seat, int t) noexcept nogil
    @cython.locals(n=int, t=int)
    cdef int c_island_tikis(self, int seat) noexcept nogil
    @cython.locals(n=int, t=int)
    cdef int c_empty_forests(self) noexcept nogil
    cdef int c_land(self, int distance) noexcept nogil
    @cython.locals(cost=int)
    cdef int c_advance_cost(self, int distance) noexcept nogil
    @cython.locals(n=int)
    cdef int c_stones_within(self, int most) noexcept nogil
    @cython.locals(c=int)
    cdef int c_take_from_forest(self, int t, int x) noexcept nogil
    cdef void c_set_in_forest(self, int t, int x, int c) noexcept nogil
    cdef void c_load(self, int seat, int c, int n) noexcept nogil
    cdef void c_pay(self, int n) noexcept nogil
    @cython.locals(i=int)
    cdef void c_seal(self, int pillar) noexcept nogil
    @cython.locals(t=int, tile=int)
    cdef void c_unlock(self) noexcept nogil
    @cython.locals(tallest=int, c=int)
    cdef int c_tallest(self, int t) noexcept nogil
    @cython.locals(height=int)
    cdef int c_worth(self, int t, int c) noexcept nogil
    @cython.locals(points=int, c=int, n=int)
    cdef int c_section(self, int seat, int t) noexcept nogil
    @cython.locals(points=int, t=int)
    cdef int c_sections(self, int seat) noexcept nogil
    @cython.locals(t=int)
    cdef int c_all_islands(self, int seat) noexcept nogil
    cdef int c_leftovers(self, int seat) noexcept nogil

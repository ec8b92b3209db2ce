cimport cython
from libc.stdint cimport int8_t, int16_t

from engines.kilauea.board cimport Board, Data, kept

cdef int TAKE_FOREST, TAKE_VOLCANO, TAKE_BACK, TAKE_ISLAND, TAKE_CANOE, TAKE_RIVAL, SWAP_RIVAL
cdef int PUT_VOLCANO, PUT_ADJACENT, PUT_APART, PUT_OTHER, PUT_ISLAND, PUT_ISLAND_OTHER
cdef int STEAL_STONE, SEAL, COPY_REEF, COPY_ALL, AUTOMATIC
cdef int GAIN_VP, GAIN_STONES, NEED_FULL, PUT_CANOE, PUT_HOME
cdef int HOME_NONE, HOME_FOREST, HOME_VOLCANO, HOME_ISLAND, IN_REEF, ON_FLANK
cdef int MAX_COLOURS, MAX_SPACES

cdef int16_t CHOICE_CODE[17]
cdef int16_t CHOICES[17]

cdef class Effects(Board):
    cdef int c_place_of(self, int tile) noexcept nogil
    @cython.locals(place=int)
    cdef int c_step_op(self) noexcept nogil
    cdef void c_begin_effect(self, int tile) noexcept nogil
    cdef void c_clear_effect(self) noexcept nogil
    @cython.locals(op=int)
    cdef bint c_run(self) noexcept nogil
    @cython.locals(saved=Data, done=bint)
    cdef bint c_executable(self, int tile) noexcept nogil
    @cython.locals(op=int, choice=int)
    cdef bint c_completable(self) noexcept nogil
    @cython.locals(saved=Data, done=bint)
    cdef bint c_leads_on(self, int op, int choice) noexcept nogil
    @cython.locals(a=int, c=int)
    cdef bint c_meets(self, int op, int choice) noexcept nogil
    @cython.locals(apart=int)
    cdef bint c_related(self, int op, int t) noexcept nogil
    @cython.locals(lies=int)
    cdef bint c_may_copy(self, int op, int tile) noexcept nogil
    @cython.locals(seat=int, a=int, c=int)
    cdef void c_choose(self, int op, int choice) noexcept nogil
    cdef void c_home(self, int kind, int t, int x) noexcept nogil
    cdef void c_take_from_volcano(self, int t, int c) noexcept nogil
    @cython.locals(seat=int, number=int, stones=int)
    cdef bint c_automatic(self, int op) noexcept nogil
    @cython.locals(t=int, c=int)
    cdef bint c_put_home(self) noexcept nogil

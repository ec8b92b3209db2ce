cimport cython
from libc.stdint cimport int32_t, uint64_t

from engines.core.rng cimport draw

cdef int ABSENT, CHANCE, TERMINAL

@cython.final
@cython.no_gc
cdef class Moves:
    cdef readonly int n
    cdef int32_t code[1024]
    cdef int32_t weight[1024]
    @cython.locals(i=int)
    cpdef list to_list(self)
    @cython.locals(i=int)
    cpdef list to_weights(self)
    @cython.locals(lo=int, hi=int, mid=int)
    cpdef bint has(self, int code) noexcept nogil
    cdef int c_uniform(self, uint64_t key, uint64_t index) noexcept nogil
    @cython.locals(i=int, total=uint64_t, left=int)
    cdef int c_weighted(self, uint64_t key, uint64_t index) noexcept nogil

cdef class Rules:
    cdef readonly object setup
    cdef readonly int seats

@cython.no_gc
cdef class State:
    cdef int c_actor(self) noexcept nogil
    cdef void c_legal(self, Moves out) noexcept nogil
    @cython.locals(i=int)
    cdef void c_weights(self, Moves out) noexcept nogil
    cdef void c_apply(self, int code) noexcept nogil
    cdef void c_copy_from(self, State other) noexcept nogil
    cdef int c_seats(self) noexcept nogil
    cdef int c_score(self, int seat) noexcept nogil
    cdef int c_place(self, int seat) noexcept nogil
    cdef int c_team(self, int seat) noexcept nogil
    cpdef State blank(self)
    cpdef legal(self, Moves moves)
    cpdef weights(self, Moves moves)
    @cython.locals(moves=Moves)
    cpdef play(self, int code, int sender=*)
    cpdef State clone(self)
    cpdef copy_from(self, State other)
    @cython.locals(s=int)
    cpdef list scores(self)
    @cython.locals(s=int)
    cpdef list placements(self)
    @cython.locals(s=int)
    cpdef list teams(self)

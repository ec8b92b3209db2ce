cimport cython
from libc.stdint cimport uint64_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef uint64_t CLOCK_NS

cdef inline uint64_t c_now() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <uint64_t> t.tv_sec * 1000000000 + <uint64_t> t.tv_nsec

@cython.final
@cython.no_gc
cdef class Latency:
    cdef readonly bint enabled
    cdef uint64_t tick
    cdef uint64_t ops[8]
    cdef uint64_t sum_ns[8]
    cdef uint64_t cell[8][32]
    cdef void c_count(self, int op, uint64_t calls) noexcept nogil
    @cython.locals(ns=uint64_t, bound=uint64_t, i=int)
    cdef void c_add(self, int op, uint64_t start, uint64_t end, uint64_t times) noexcept nogil
    cpdef add(self, int op, long ns)
    @cython.locals(op=int, i=int)
    cpdef list take(self)

cpdef uint64_t now_ns() noexcept

@cython.locals(start=uint64_t, end=uint64_t, best=uint64_t, _=int)
cpdef uint64_t clock_cost() noexcept

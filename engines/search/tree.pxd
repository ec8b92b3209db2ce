cimport cython
from libc.stdint cimport int8_t, int32_t

cdef int UNKNOWN

@cython.final
cdef class Tree:
    cdef readonly int capacity, seats, n
    cdef int32_t[::1] code
    cdef int32_t[::1] parent
    cdef int32_t[::1] moved
    cdef int32_t[::1] child
    cdef int32_t[::1] sibling
    cdef int32_t[::1] visits
    cdef int32_t[::1] available
    cdef int32_t[::1] children
    cdef int32_t[::1] legal
    cdef int8_t[::1] proven
    cdef double[::1] value
    @cython.locals(node=int, s=int)
    cdef int c_add(self, int parent, int code) noexcept nogil
    cdef void c_link(self, int parent, int node) noexcept nogil
    cpdef keep(self, int root)
    @cython.locals(kept=int, i=int, parent=int, s=int)
    cdef void c_keep(self, int root) noexcept nogil
    @cython.locals(node=int)
    cdef int c_find(self, int parent, int code) noexcept nogil
    cpdef clear(self)
    @cython.locals(node=int, visits=int, s=int)
    cpdef list rows(self, int parent=*)

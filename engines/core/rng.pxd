from libc.stdint cimport uint64_t

cdef uint64_t GOLDEN, C1, C2

cdef inline uint64_t u64(uint64_t x) noexcept nogil:
    return x

cpdef uint64_t mix(uint64_t x) noexcept nogil
cpdef uint64_t stream_key(uint64_t seed, uint64_t stream) noexcept nogil
cpdef uint64_t draw(uint64_t key, uint64_t index, uint64_t n) noexcept nogil

cimport cython
from libc.stdint cimport uint64_t

from engines.core.latency cimport Latency, c_now
from engines.core.rng cimport stream_key
from engines.core.state cimport Moves, State

cdef int CHANCE, TERMINAL, ROLLOUT_STREAM, SAMPLE_MASK, BATCH, LEGAL, APPLY

cdef int c_random_code(State state, Moves moves, uint64_t key, uint64_t index) noexcept nogil

@cython.locals(start=uint64_t, code=int, _=int)
cdef void c_timed_ply(State state, Moves moves, uint64_t key, uint64_t index, Latency latency) noexcept nogil

@cython.locals(ply=int)
cdef int c_rollout(State state, Moves moves, uint64_t key, int limit, Latency latency) noexcept nogil

@cython.locals(moves=Moves, watch=Latency, key=uint64_t, n=int)
cpdef int rollout(State state, uint64_t seed, int limit, Latency latency=*) except -1

@cython.locals(state=State, moves=Moves, watch=Latency, total=long, i=int)
cpdef long rollouts(State start, uint64_t seed, int count, int limit, Latency latency=*) except -1

@cython.final
cdef class Frame:
    cdef State state
    cdef Moves moves
    cdef Frame below

@cython.locals(count=uint64_t, i=int)
cdef uint64_t c_perft(Frame frame, int depth) noexcept nogil

@cython.locals(frame=Frame, n=uint64_t)
cpdef perft(State state, int depth)

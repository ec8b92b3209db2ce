cimport cython
from libc.stdint cimport uint64_t

from engines.core.latency cimport Latency, c_now
from engines.core.state cimport Moves, State

cdef int SAMPLE_MASK, BATCH, LEGAL, APPLY

@cython.locals(start=uint64_t, _=int)
cpdef legal(State state, Moves moves, Latency latency)

@cython.locals(moves=Moves, start=uint64_t)
cpdef play(State state, int code, Latency latency)

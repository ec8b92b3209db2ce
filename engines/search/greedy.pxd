cimport cython
from libc.stdint cimport uint64_t

from engines.core.evaluate cimport Evaluator
from engines.core.rng cimport draw
from engines.core.state cimport Moves, State

@cython.locals(best=int, ties=int, value=int, i=int, k=int)
cdef int c_greedy(
    State state, State scratch, Moves moves, Evaluator evaluator, int seat, uint64_t key, uint64_t index
) noexcept nogil

@cython.locals(scratch=State, moves=Moves, code=int)
cpdef int greedy(State state, Evaluator evaluator, uint64_t key, uint64_t index) except -1

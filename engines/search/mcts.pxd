cimport cython
from libc.math cimport sqrt
from libc.stdint cimport int8_t, int32_t, uint64_t

from engines.core.evaluate cimport Evaluator
from engines.core.latency cimport Latency
from engines.core.rng cimport draw
from engines.core.rollout cimport c_random_code
from engines.core.state cimport Moves, State
from engines.search.greedy cimport c_greedy
from engines.search.tree cimport Tree

cdef int CHANCE, TERMINAL, LEGAL, APPLY, MAX_DEPTH, UNKNOWN, SPREAD

@cython.final
cdef class Search:
    cdef readonly Tree tree
    cdef State state
    cdef Evaluator evaluator
    cdef Moves moves
    cdef readonly Latency latency
    cdef readonly double exploration, widening
    cdef readonly int cutoff, scale
    cdef readonly bint solve, greedy
    cdef State trial
    cdef readonly uint64_t simulations
    cdef int stamp
    cdef double[::1] ln
    cdef int32_t[::1] mark
    cdef int32_t[::1] path
    cdef double[::1] reward
    cdef double[::1] looks
    cdef int8_t[::1] deciders
    @cython.locals(done=int)
    cpdef int run(self, State world, int count, uint64_t key) except -1
    cpdef reset(self)
    @cython.locals(index=uint64_t, node=int, depth=int, grown=bint, actor=int, child=int, i=int, s=int)
    cdef void c_simulate(self, State world, uint64_t key) noexcept nogil
    @cython.locals(i=int, child=int, kept=int, code=int)
    cdef int c_outcome(self, int node, uint64_t key, uint64_t index) noexcept nogil
    @cython.locals(limit=double)
    cdef bint c_is_wide(self, int node) noexcept nogil
    @cython.locals(best=int, best_bound=double, bound=double, tried=int, team=int, child=int, code=int, i=int, k=int)
    cdef int c_select(self, int node, int seat, uint64_t key, uint64_t index) noexcept nogil
    @cython.locals(visits=int, mean=double)
    cdef double c_bound(self, int child, int seat) noexcept nogil
    @cython.locals(halvings=int)
    cdef double c_ln(self, int n) noexcept nogil
    @cython.locals(plies=int, actor=int, code=int)
    cdef void c_playout(self, uint64_t key, uint64_t index) noexcept nogil
    @cython.locals(s=int, o=int, points=int, others=int)
    cdef void c_result(self) noexcept nogil
    @cython.locals(s=int, o=int, points=double, others=int, lead=double, size=double)
    cdef void c_judge(self) noexcept nogil
    @cython.locals(winner=int, s=int, i=int, node=int)
    cdef void c_prove(self, int depth) noexcept nogil
    @cython.locals(child=int, lost=int)
    cdef bint c_all_lost(self, int node, int winner) noexcept nogil

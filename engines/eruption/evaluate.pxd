cimport cython
from engines.core.evaluate cimport Evaluator
from engines.core.state cimport State
from engines.eruption.rules cimport Eruption

cdef int OVER
cdef int WIN, DEGREE, NEAR, CARD, PIECE, TILE, BURNT_DOWN
cdef int BEHIND[4]

cdef class EruptionEvaluator(Evaluator):
    @cython.locals(own=int, others=int, n_own=int, n_others=int, s=int, cost=int, value=int)
    cdef int c_evaluate(self, State state, int seat) noexcept nogil
    @cython.locals(cost=int, v=int, e=int, m=int, k=int, wall=int, h=int, site=int)
    cdef int c_cost(self, State state, int seat) noexcept nogil

cimport cython
from engines.core.evaluate cimport Evaluator
from engines.core.state cimport State
from engines.kilauea.rules cimport Kilauea

cdef int OVER, WIN, POINT

cdef class KilaueaEvaluator(Evaluator):
    @cython.locals(own=int, best=int, other=int)
    cdef int c_evaluate(self, State state, int seat) noexcept nogil
    @cython.locals(value=int)
    cdef int c_side(self, State state, int seat) noexcept nogil

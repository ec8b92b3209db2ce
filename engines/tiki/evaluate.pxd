cimport cython
from engines.core.evaluate cimport Evaluator
from engines.core.state cimport State
from engines.tiki.rules cimport Tiki

cdef int OVER, WIN, FRUIT, TOP

cdef class TikiEvaluator(Evaluator):
    cdef int c_evaluate(self, State state, int seat) noexcept nogil
    @cython.locals(value=int, u=int, stack=int, height=int, fruits=int)
    cdef int c_side(self, State state, int seat) noexcept nogil

cimport cython
from engines.core.evaluate cimport Evaluator
from engines.core.state cimport State
from engines.gaul.rules cimport Gaul

cdef int OVER, POINT, WIN

cdef class GaulEvaluator(Evaluator):
    @cython.locals(own=int, best=int, total=int, other=int, s=int)
    cdef int c_evaluate(self, State state, int seat) noexcept nogil
    @cython.locals(value=int, i=int, face=int, tool=int, worth=int, colour=int)
    cdef int c_prospects(self, State state, int seat) noexcept nogil
    @cython.locals(symbols=int, s=int, i=int, face=int)
    cdef int c_symbols(self, State state, int tool) noexcept nogil

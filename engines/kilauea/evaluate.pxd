cimport cython

from engines.core.evaluate cimport Evaluator
from engines.core.state cimport State
from engines.kilauea.rules cimport Kilauea

cdef int MAIN, OVER, STEP
cdef int WIN, POINT, STONE, TIKI, FILLED, HOPE, BUILD

cdef class KilaueaEvaluator(Evaluator):
    @cython.locals(own=int, best=int, other=int)
    cdef int c_evaluate(self, State state, int seat) noexcept nogil
    @cython.locals(value=int, scorings=int, t=int)
    cdef int c_side(self, State state, int seat) noexcept nogil
    @cython.locals(t=int, room=int, best=int, cost=int, gain=int, c=int)
    cdef int c_main(self, State state, int seat, int scorings) noexcept nogil

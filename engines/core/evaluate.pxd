from engines.core.state cimport State

cdef class Evaluator:
    cdef int c_evaluate(self, State state, int seat) noexcept nogil
    cpdef long evaluate(self, State state, int seat) except? -1

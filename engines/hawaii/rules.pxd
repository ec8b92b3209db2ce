cimport cython
from libc.stdint cimport uint32_t

from engines.core.state cimport State
from engines.hawaii.tables cimport HawaiiRules
from engines.hawaii.worlds cimport Worlds

cdef int SHELLS, FEET, FRUIT, OVER, POSITIONS
cdef uint32_t ONE

cdef class Hawaii(Worlds):
    @cython.locals(p=int, i=int, k=int, token=int, island=int, seat=int)
    cdef object c_fill(self, object s)
    @cython.locals(i=int, token=int, v=int)
    cdef object c_fill_seat(self, int seat, object realm, object purse)
    @cython.locals(other=Hawaii)
    cpdef State blank(self)

@cython.locals(state=Hawaii)
cpdef Hawaii start(HawaiiRules rules)

@cython.locals(state=Hawaii)
cpdef Hawaii load(HawaiiRules rules, snapshot)

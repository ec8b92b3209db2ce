cimport cython

from engines.core.state cimport State

@cython.locals(_=int)
cpdef clones(State state, int count)

@cython.locals(other=State, _=int)
cpdef copies(State state, int count)

cimport cython

from engines.core.state cimport Moves, State
from engines.kilauea.effect cimport CHOICE_CODE, CHOICES
from engines.kilauea.tables cimport KilaueaRules
from engines.kilauea.turn cimport Turns

cdef class Kilauea(Turns):
    @cython.locals(other=Kilauea)
    cpdef State blank(self)
    @cython.locals(moves=Moves)
    cpdef bint has_choice(self)

@cython.locals(state=Kilauea)
cpdef Kilauea start(KilaueaRules rules)

@cython.locals(state=Kilauea)
cpdef Kilauea load(KilaueaRules rules, snapshot)

cdef _load_table(Kilauea state, KilaueaRules rules, snapshot)
cdef _load_seats(Kilauea state, KilaueaRules rules, snapshot)
cdef _load_effect(Kilauea state, snapshot)

cimport cython
from engines.core.evaluate cimport Evaluator
from engines.core.state cimport State
from engines.hawaii.rules cimport Hawaii

cdef int SHELLS, FEET, FRUIT, INCOME_SHELLS, INCOME_FEET, INCOME_FRUIT, ANY_PER_ROUND, EXCHANGE, GOAL_REDUCTION
cdef int GOAL_BONUS_VP, SPEAR_VP, WALK_DISCOUNT, STANDING, END_VP, END_VP_TILE_VILLAGE, END_VP_FRUIT_VILLAGE
cdef int END_VP_FRUIT_REALM, END_VP_SURFER, END_VP_BOAT, END_VP_VILLAGE
cdef int PAY_WALK, BUY, PAY_PRICE, PLACE, PAY_TRIP, TAKE_FISH, TAKE_TILE, OVER, FISHING, PASSED
cdef int POINT, SHELL, FOOT, FRUIT_UNIT, LAST, TOKEN, COLUMN, GOAL, SPECIAL, BOAT_FOOT, WIN
cdef int WORTH[9]

cdef class HawaiiEvaluator(Evaluator):
    @cython.locals(best=int, s=int, value=int)
    cdef int c_evaluate(self, State state, int seat) noexcept nogil
    @cython.locals(value=int)
    cdef int c_seat(self, Hawaii state, int seat) noexcept nogil
    @cython.locals(value=int)
    cdef int c_goods(self, Hawaii state, int seat) noexcept nogil
    @cython.locals(rounds=int, value=int, e=int)
    cdef int c_lasting(self, Hawaii state, int seat) noexcept nogil
    @cython.locals(need=int, value=int, v=int, i=int, reached=int, points=int)
    cdef int c_villages(self, Hawaii state, int seat) noexcept nogil
    @cython.locals(target=int, total=int, value=int)
    cdef int c_goal(self, Hawaii state, int seat) noexcept nogil
    @cython.locals(value=int, island=int)
    cdef int c_pending(self, Hawaii state, int seat) noexcept nogil
    @cython.locals(position=int, price=int, best=int, k=int, value=int)
    cdef int c_best_purchase(self, Hawaii state, int seat) noexcept nogil
    @cython.locals(rounds=int, value=int, e=int)
    cdef int c_tile(self, Hawaii state, int seat, int kind, int level) noexcept nogil

% A puzzle whose sets are spelled out: Black owns one of every pair.
#boardsize
7 1
#init
#depth
5
#blackgoal
black(1,1) black(2,1) black(4,1)
black(1,1) black(2,1) black(5,1)
black(1,1) black(3,1) black(4,1)
black(1,1) black(3,1) black(5,1)
black(6,1) black(7,1)
#whitegoal
breaker

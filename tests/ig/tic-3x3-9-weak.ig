% Three in a row without diagonals, White only prevents.
#boardsize
3 3
#init

#depth
9
#blackgoal
black(?x,?y) black(?x,?y+1) black(?x,?y+2)
black(?x,?y) black(?x+1,?y) black(?x+2,?y)
#whitegoal

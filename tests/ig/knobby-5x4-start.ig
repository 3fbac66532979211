% Knobby with stones on the board, White begins; the depth counts the turn Black leaves out.
#boardsize
5 4
#init
black(3,2) white(1,1)
#depth
8
#blackgoal
black(?x,?y) black(?x,?y+1) black(?x,?y+2) black(?x+1,?y+1)
black(?x,?y) black(?x+1,?y-1) black(?x+1,?y) black(?x+1,?y+1)
black(?x,?y) black(?x+1,?y-1) black(?x+1,?y) black(?x+2,?y)
black(?x,?y) black(?x+1,?y) black(?x+1,?y+1) black(?x+2,?y)
#whitegoal
white(?x,?y) white(?x,?y+1) white(?x,?y+2) white(?x+1,?y+1)
white(?x,?y) white(?x+1,?y-1) white(?x+1,?y) white(?x+1,?y+1)
white(?x,?y) white(?x+1,?y-1) white(?x+1,?y) white(?x+2,?y)
white(?x,?y) white(?x+1,?y) white(?x+1,?y+1) white(?x+2,?y)
#blackturn
second

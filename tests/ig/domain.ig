% One stone of one's own on any empty cell.
#blackactions
:action put
:parameters (?x, ?y)
:precondition (open(?x,?y))
:effect (black(?x,?y))

#whiteactions
:action put
:parameters (?x, ?y)
:precondition (open(?x,?y))
:effect (white(?x,?y))

# matrix.gp - a field of cells. Data, x and y in points:
#   $cells      x y left right bottom top colour
set border 0
unset grid
set style fill solid 1 noborder
plot NaN, \
    for [i = 1 : rl_cells > 0] $cells with boxxyerror linecolor rgb variable

# swarm.gp - values about their middle, in rows. Data, y in points:
#   $shades     x y left right bottom top          what scatters by chance
#   $middles    a short upright line in each row   $lanes   level lines between rows
#   $bars       x y left right bottom top colour   densities of many values
#   $points     x y radius shape colour            single values
set border 1
set style fill solid 1 noborder
plot NaN, \
    for [i = 1 : rl_shades > 0] $shades with boxxyerror linecolor rgb rl_grid_fine, \
    for [i = 1 : rl_lanes > 0] $lanes with lines linewidth 0.35 linecolor rgb rl_grid, \
    for [i = 1 : rl_middles > 0] $middles with lines linewidth 0.6 linecolor rgb rl_axis, \
    for [i = 1 : rl_bars > 0] $bars with boxxyerror linecolor rgb variable, \
    for [i = 1 : rl_points > 0] $points with points linewidth 0.6 pointsize variable pointtype variable linecolor rgb variable

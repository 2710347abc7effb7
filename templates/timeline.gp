# timeline.gp - what went on when: bars in rows over time. Data, y in points:
#   $shades     x y left right bottom top          where things go on side by side
#   $bars       x y left right bottom top colour   $lanes   level lines between lanes
set border 1
set style fill solid 1 noborder
plot NaN, \
    for [i = 1 : rl_shades > 0] $shades with boxxyerror linecolor rgb rl_shade, \
    for [i = 1 : rl_lanes > 0] $lanes with lines linewidth 0.35 linecolor rgb rl_grid, \
    for [i = 1 : rl_bars > 0] $bars with boxxyerror linecolor rgb variable

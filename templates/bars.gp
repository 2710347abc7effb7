# bars.gp - horizontal bars. Data, y in points:
#   $bars       x y left right bottom top colour           $whiskers   intervals
#   $reference_solid $reference_dashed   upright lines; rl_base is the value at which bars start
set border 1
set style fill solid 1 noborder
set arrow from first rl_base, graph 0 to first rl_base, graph 1 nohead back linewidth 0.6 linecolor rgb rl_axis
plot NaN, \
    for [i = 1 : rl_bars > 0] $bars with boxxyerror linecolor rgb variable, \
    for [i = 1 : rl_reference_dashed > 0] $reference_dashed with lines linewidth 0.9 dashtype (4, 2) linecolor rgb rl_ink, \
    for [i = 1 : rl_reference_solid > 0] $reference_solid with lines linewidth 1.1 linecolor rgb rl_ink, \
    for [i = 1 : rl_whiskers > 0] $whiskers with lines linewidth 0.8 linecolor rgb rl_ink

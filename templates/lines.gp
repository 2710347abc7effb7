# lines.gp - values over an ordered parameter. Data:
#   $values     x y radius shape colour; a blank row between series
#   $bare       the same without marks
#   $whiskers   intervals            $reference_solid $reference_dashed   level lines
plot NaN, \
    for [i = 1 : rl_reference_dashed > 0] $reference_dashed with lines linewidth 0.9 dashtype (4, 2) linecolor rgb rl_ink, \
    for [i = 1 : rl_reference_solid > 0] $reference_solid with lines linewidth 1.1 linecolor rgb rl_ink, \
    for [i = 1 : rl_bare > 0] $bare using 1:2:5 with lines linewidth 1.2 linecolor rgb variable, \
    for [i = 1 : rl_values > 0] $values using 1:2:5 with lines linewidth 1 linecolor rgb variable, \
    for [i = 1 : rl_whiskers > 0] $whiskers with lines linewidth 0.7 linecolor rgb rl_ink, \
    for [i = 1 : rl_values > 0] $values with points linewidth 0.5 pointsize variable pointtype variable linecolor rgb variable

# roofline.gp - FLOP/s over FLOP/B under roofs. Data, one look a block:
#   $other_dashed $other_solid $main_dashed $main_solid   roofs: two rows a line, a blank row between lines
#   $bands      the spread of measured roofs: four corners each, a blank row between them
#   $ridge      the line from the ridge to the axis       $whiskers   intervals of points
#   $joins      lines between points of one kernel
#   $points     x y radius shape colour
plot NaN, \
    for [i = 1 : rl_bands > 0] $bands with filledcurves closed fillcolor rgb rl_shade, \
    for [i = 1 : rl_ridge > 0] $ridge with lines linewidth 0.5 dashtype (1, 2) linecolor rgb rl_axis, \
    for [i = 1 : rl_other_dashed > 0] $other_dashed with lines linewidth 0.7 dashtype (3, 2) linecolor rgb rl_axis, \
    for [i = 1 : rl_other_solid > 0] $other_solid with lines linewidth 0.7 linecolor rgb rl_axis, \
    for [i = 1 : rl_main_dashed > 0] $main_dashed with lines linewidth 0.7 dashtype (3, 2) linecolor rgb rl_ink_soft, \
    for [i = 1 : rl_main_solid > 0] $main_solid with lines linewidth 1.3 linecolor rgb rl_ink, \
    for [i = 1 : rl_joins > 0] $joins with lines linewidth 0.5 linecolor rgb rl_axis, \
    for [i = 1 : rl_whiskers > 0] $whiskers with lines linewidth 0.7 linecolor rgb rl_ink, \
    for [i = 1 : rl_points > 0] $points with points linewidth 0.6 pointsize variable pointtype variable linecolor rgb variable

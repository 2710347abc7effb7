# intervals.gp - marks with intervals, one row each, over a shaded band. Data, y in points:
#   $band       four corners      $rows   a thin line under every row      $reference_solid $reference_dashed   upright lines
#   $joins      from the least to the greatest mark of a row
#   $whiskers   intervals         $points x y radius shape colour
set border 1
plot NaN, \
    for [i = 1 : rl_band > 0] $band with filledcurves closed fillcolor rgb rl_shade, \
    for [i = 1 : rl_rows > 0] $rows with lines linewidth 0.35 linecolor rgb rl_grid, \
    for [i = 1 : rl_reference_dashed > 0] $reference_dashed with lines linewidth 0.9 dashtype (4, 2) linecolor rgb rl_ink, \
    for [i = 1 : rl_reference_solid > 0] $reference_solid with lines linewidth 0.9 linecolor rgb rl_ink, \
    for [i = 1 : rl_joins > 0] $joins with lines linewidth 0.8 linecolor rgb rl_ink_soft, \
    for [i = 1 : rl_whiskers > 0] $whiskers with lines linewidth 1.1 linecolor rgb rl_ink_soft, \
    for [i = 1 : rl_points > 0] $points with points linewidth 0.9 pointsize variable pointtype variable linecolor rgb variable

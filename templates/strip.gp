# strip.gp - marks along one axis. Data:
#   $reference_solid $reference_dashed   upright lines     $whiskers   intervals of points
#   $points     x y radius shape colour; y in points: only to keep marks apart
set border 1
plot NaN, \
    for [i = 1 : rl_reference_dashed > 0] $reference_dashed with lines linewidth 0.9 dashtype (4, 2) linecolor rgb rl_ink, \
    for [i = 1 : rl_reference_solid > 0] $reference_solid with lines linewidth 1.1 linecolor rgb rl_ink, \
    for [i = 1 : rl_whiskers > 0] $whiskers with lines linewidth 0.7 linecolor rgb rl_ink, \
    for [i = 1 : rl_points > 0] $points with points linewidth 0.6 pointsize variable pointtype variable linecolor rgb variable

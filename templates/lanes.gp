# lanes.gp - how much of each step of time something took. Data, y in points:
#   $lanes      the ground line of each lane
#   $areas      outlines x y, blank rows between them; a set for each colour: rl_area_colour_0 and so on, rl_area_sets of them
set border 1
set style fill solid 1 noborder
rl_area_colour(i) = value(sprintf("rl_area_colour_%d", i))
plot NaN, \
    for [i = 0 : rl_area_sets - 1] $areas index i using 1:2 with filledcurves closed fillcolor rgb rl_area_colour(i), \
    for [i = 1 : rl_lanes > 0] $lanes with lines linewidth 0.35 linecolor rgb rl_axis

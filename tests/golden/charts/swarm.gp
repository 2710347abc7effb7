set terminal lua 'rooflight.lua' 0 30000 8000 350 700
rl_tick_size = 7
rl_left = 0.06333333333333334
rl_right = 0.8833333333333333
rl_bottom = 0.3125
rl_top = 0.9625
rl_x_ticks = 1
rl_x_min = -4
rl_x_max = 2
rl_x_step = 1
rl_x_fine = 0
rl_x_between = 0
rl_x_first = 0
rl_x_last = 0
rl_y_ticks = 0
rl_y_min = 25
rl_y_max = 77
rl_y_step = 0
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$shades << END
0 64 -1 1 53.08 74.92
END
rl_shades = 1
$lanes << END
-4 51
2 51

-4 25
2 25

END
rl_lanes = 4
$middles << END
0 51
0 77

0 25
0 51

END
rl_middles = 4
$bars << END
END
rl_bars = 0
$points << END
-0.20000000000000018 64 1.6 7 23190
0 64 1.6 7 23190
0.09999999999999964 64 1.6 7 23190
0.09999999999999964 66.56 1.6 7 23190
0.40000000000000036 64 1.6 7 23190
-3 64 2.4 5 12339456
-4 64 2.4 4 12339456
-0.20000000000000018 38 1.6 7 23190
0 38 1.6 7 23190
0.09999999999999964 38 1.6 7 23190
0.09999999999999964 40.56 1.6 7 23190
END
rl_points = 11
load 'style.gp'
load 'swarm.gp'


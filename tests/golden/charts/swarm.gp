set terminal lua 'rooflight.lua' 0 30000 8000 425 850
rl_tick_size = 8.5
rl_left = 0.07333333333333333
rl_right = 0.8633333333333333
rl_bottom = 0.33125
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
rl_y_min = 26.5
rl_y_max = 77
rl_y_step = 0
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$shades << END
0 64.375 -1 1 53.769999999999996 74.98
END
rl_shades = 1
$lanes << END
-4 51.75
2 51.75

-4 26.5
2 26.5

END
rl_lanes = 4
$middles << END
0 51.75
0 77

0 26.5
0 51.75

END
rl_middles = 4
$bars << END
END
rl_bars = 0
$points << END
-0.20000000000000018 64.375 1.6 13 10724259
0 64.375 1.6 13 10724259
0.09999999999999964 64.375 1.6 13 10724259
0.09999999999999964 66.935 1.6 13 10724259
0.40000000000000036 64.375 1.6 13 10724259
-3 64.375 2.4 7 2236962
-4 64.375 2.4 6 2236962
-0.20000000000000018 39.125 1.6 13 10724259
0 39.125 1.6 13 10724259
0.09999999999999964 39.125 1.6 13 10724259
0.09999999999999964 41.685 1.6 13 10724259
END
rl_points = 11
load 'style.gp'
load 'swarm.gp'


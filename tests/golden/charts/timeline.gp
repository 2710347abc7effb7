set terminal lua 'rooflight.lua' 0 30000 8000 350 700
rl_tick_size = 7
rl_left = 0.18
rl_right = 0.97
rl_bottom = 0.3125
rl_top = 0.8375
rl_x_ticks = 1
rl_x_min = 0
rl_x_max = 6
rl_x_step = 1
rl_x_fine = 0
rl_x_between = 0
rl_x_first = 0
rl_x_last = 0
rl_y_ticks = 0
rl_y_min = 25
rl_y_max = 67
rl_y_step = 0
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$shades << END
3.5500000000000003 46 3 4.1000000000000005 25 67
END
rl_shades = 1
$lanes << END
0 46
6 46

END
rl_lanes = 2
$bars << END
0 60.25 0 2 57.025 63.475 23190
4 60.25 4 4.1000000000000005 57.025 63.475 23190
2 52.75 2 4 49.525 55.975 23190
3 35.5 3 5 29.05 41.95 12339456
END
rl_bars = 4
load 'style.gp'
load 'timeline.gp'


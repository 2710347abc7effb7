set terminal lua 'rooflight.lua' 0 30000 9000 350 700
rl_tick_size = 7
rl_left = 0.09366666666666668
rl_right = 0.98
rl_bottom = 0.2777777777777778
rl_top = 0.8133333333333334
rl_x_ticks = 1
rl_x_min = 0
rl_x_max = 5.228729016786571
rl_x_step = 1
rl_x_fine = 0
rl_x_between = 0
rl_x_first = 0
rl_x_last = 0
rl_y_ticks = 0
rl_y_min = 25
rl_y_max = 73.2
rl_y_step = 0
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$reference_solid << END
4.3 25
4.3 73.2

END
rl_reference_solid = 2
$reference_dashed << END
5 25
5 73.2

END
rl_reference_dashed = 2
$bars << END
0.9 65.16666666666667 0 0.9 60.507333333333335 69.82600000000001 40050
4.1 49.1 0 4.1 44.44066666666667 53.75933333333333 23190
END
rl_bars = 2
$whiskers << END
0.7999999999999999 65.16666666666667
1 65.16666666666667

END
rl_whiskers = 2
$rows << END
END
rl_rows = 0
$points << END
END
rl_points = 0
rl_base = 0
load 'style.gp'
load 'bars.gp'


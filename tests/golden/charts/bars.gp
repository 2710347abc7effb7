set terminal lua 'rooflight.lua' 0 30000 9000 425 850
rl_tick_size = 8.5
rl_left = 0.11016666666666666
rl_right = 0.9533333333333334
rl_bottom = 0.29444444444444445
rl_top = 0.78
rl_x_ticks = 1
rl_x_min = 0
rl_x_max = 5.636385869565218
rl_x_step = 1
rl_x_fine = 0
rl_x_between = 0
rl_x_first = 0
rl_x_last = 0
rl_y_ticks = 0
rl_y_min = 26.5
rl_y_max = 70.2
rl_y_step = 0
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$reference_solid << END
4.3 26.5
4.3 70.2

END
rl_reference_solid = 2
$reference_dashed << END
5 26.5
5 70.2

END
rl_reference_dashed = 2
$bars << END
0.9 62.91666666666667 0 0.9 58.69233333333334 67.141 13400487
4.1 48.35 0 4.1 44.12566666666667 52.574333333333335 29362
END
rl_bars = 2
$whiskers << END
0.7999999999999999 62.91666666666667
1 62.91666666666667

END
rl_whiskers = 2
rl_base = 0
load 'style.gp'
load 'bars.gp'


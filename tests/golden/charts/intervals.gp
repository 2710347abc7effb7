set terminal lua 'rooflight.lua' 0 30000 9000 350 700
rl_tick_size = 7
rl_left = 0.125
rl_right = 0.9158333333333334
rl_bottom = 0.2777777777777778
rl_top = 0.8955555555555554
rl_x_ticks = 1
rl_x_min = 0.7608
rl_x_max = 1.1192000000000002
rl_x_step = 0.1
rl_x_fine = 0
rl_x_between = 0
rl_x_first = 0
rl_x_last = 0
rl_y_ticks = 0
rl_y_min = 25
rl_y_max = 80.6
rl_y_step = 0
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$reference_solid << END
1 25
1 80.6

END
rl_reference_solid = 2
$reference_dashed << END
END
rl_reference_dashed = 0
$band << END
0.99 25
1.01 25
1.01 80.6
0.99 80.6
END
rl_band = 4
$rows << END
0.7608 71.33333333333333
1.1192000000000002 71.33333333333333

0.7608 52.8
1.1192000000000002 52.8

0.7608 34.266666666666666
1.1192000000000002 34.266666666666666

END
rl_rows = 6
$joins << END
END
rl_joins = 0
$whiskers << END
0.78 71.33333333333333
0.83 71.33333333333333

0.98 52.8
1.07 52.8

END
rl_whiskers = 4
$points << END
0.8 71.33333333333333 2.6 9 40050
1.1 52.8 2.9 12 10724259
1.02 52.8 2.6 12 10724259
END
rl_points = 3
load 'style.gp'
load 'intervals.gp'


set terminal lua 'rooflight.lua' 0 30000 9000 425 850
rl_tick_size = 8.5
rl_left = 0.1475
rl_right = 0.9021
rl_bottom = 0.29444444444444445
rl_top = 0.8788888888888888
rl_x_ticks = 1
rl_x_min = 0.7608
rl_x_max = 1.1192000000000002
rl_x_step = 0.1
rl_x_fine = 0
rl_x_between = 0
rl_x_first = 0
rl_x_last = 0
rl_y_ticks = 0
rl_y_min = 26.5
rl_y_max = 79.1
rl_y_step = 0
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$reference_solid << END
1 26.5
1 79.1

END
rl_reference_solid = 2
$reference_dashed << END
END
rl_reference_dashed = 0
$band << END
0.99 26.5
1.01 26.5
1.01 79.1
0.99 79.1
END
rl_band = 4
$rows << END
0.7608 70.33333333333333
1.1192000000000002 70.33333333333333

0.7608 52.8
1.1192000000000002 52.8

0.7608 35.266666666666666
1.1192000000000002 35.266666666666666

END
rl_rows = 6
$joins << END
END
rl_joins = 0
$whiskers << END
0.78 70.33333333333333
0.83 70.33333333333333

0.98 52.8
1.07 52.8

END
rl_whiskers = 4
$points << END
0.8 70.33333333333333 2.6 11 13400487
1.1 52.8 2.9 12 10724259
1.02 52.8 2.6 12 10724259
END
rl_points = 3
load 'style.gp'
load 'intervals.gp'


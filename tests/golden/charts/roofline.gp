set terminal lua 'rooflight.lua' 0 40000 24000 425 850
rl_tick_size = 8.5
rl_left = 0.0925
rl_right = 0.9675
rl_bottom = 0.11041666666666666
rl_top = 0.925
rl_x_ticks = 2
rl_x_min = 0.05
rl_x_max = 500
rl_x_step = 1
rl_x_fine = 0
rl_x_between = 2
rl_x_first = -1
rl_x_last = 2
rl_y_ticks = 3
rl_y_min = 50000000000
rl_y_max = 500000000000000
rl_y_step = 1
rl_y_fine = 0
rl_y_between = 1
rl_y_first = 11
rl_y_last = 14
$bands << END
END
rl_bands = 0
$other_dashed << END
10.909090909090908 60000000000000
12 60000000000000

5.454545454545454 30000000000000
500 30000000000000

END
rl_other_dashed = 4
$other_solid << END
END
rl_other_solid = 0
$main_dashed << END
0.05 275000000000
10.909090909090908 59999999999999.99

END
rl_main_dashed = 2
$main_solid << END
0.05 250000000000
12 60000000000000

12 60000000000000
500 60000000000000

END
rl_main_solid = 4
$ridge << END
12 50000000000
12 60000000000000

END
rl_ridge = 2
$joins << END
END
rl_joins = 0
$whiskers << END
24 35000000000000
24 45000000000000

END
rl_whiskers = 2
$points << END
0.125 500000000000 3 7 29362
24 40000000000000 3 13 13983232
1 100000000000 3 10 13400487
END
rl_points = 3
load 'style.gp'
load 'roofline.gp'


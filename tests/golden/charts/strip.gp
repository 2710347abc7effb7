set terminal lua 'rooflight.lua' 0 40000 8000 350 700
rl_tick_size = 7
rl_left = 0.025
rl_right = 0.975
rl_bottom = 0.3125
rl_top = 0.7575000000000001
rl_x_ticks = 1
rl_x_min = 0
rl_x_max = 5.2
rl_x_step = 0.5
rl_x_fine = 0
rl_x_between = 0
rl_x_first = 0
rl_x_last = 0
rl_y_ticks = 0
rl_y_min = 25
rl_y_max = 60.6
rl_y_step = 0
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$reference_solid << END
END
rl_reference_solid = 0
$reference_dashed << END
5 25
5 60.6

END
rl_reference_dashed = 2
$whiskers << END
3.9 49.8
4.3 49.8

END
rl_whiskers = 2
$points << END
4.2 42.8 5.57709601853868 7 23190
4.1 49.8 3.9436024140371955 7 23190
0.9 42.8 2.276839915321233 9 40050
END
rl_points = 3
load 'style.gp'
load 'strip.gp'


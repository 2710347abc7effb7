set terminal lua 'rooflight.lua' 0 30000 15000 425 850
rl_tick_size = 8.5
rl_left = 0.10333333333333333
rl_right = 0.8741666666666666
rl_bottom = 0.17666666666666667
rl_top = 0.8933333333333333
rl_x_ticks = 4
rl_x_min = 0.7071067811865475
rl_x_max = 11.313708498984761
rl_x_step = 1
rl_x_fine = 0
rl_x_between = 1
rl_x_first = 0
rl_x_last = 3
rl_y_ticks = 1
rl_y_min = 0
rl_y_max = 5.3999999999999995
rl_y_step = 2
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$reference_solid << END
0.7071067811865475 4.3
11.313708498984761 4.3

END
rl_reference_solid = 2
$reference_dashed << END
0.7071067811865475 5
11.313708498984761 5

END
rl_reference_dashed = 2
$bare << END
END
rl_bare = 0
$values << END
1 4 2.4 7 29362
2 2 2.4 7 29362
4 1 2.4 7 29362
8 0.5 2.4 7 29362

1 4 2.4 13 10724259
2 4 2.4 13 10724259
4 3.9 2.4 13 10724259
8 4 2.4 13 10724259

END
rl_values = 8
$whiskers << END
1 3.9
1 4.1

2 1.9
2 2.1

4 0.9
4 1.1

8 0.39999999999999997
8 0.6

END
rl_whiskers = 8
load 'style.gp'
load 'lines.gp'


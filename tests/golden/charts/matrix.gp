set terminal lua 'rooflight.lua' 0 24000 9000 350 700
rl_tick_size = 7
rl_left = 0.14375
rl_right = 0.86875
rl_bottom = 0.022222222222222223
rl_top = 0.7222222222222222
rl_x_ticks = 0
rl_x_min = 34.5
rl_x_max = 208.5
rl_x_step = 0
rl_x_fine = 0
rl_x_between = 0
rl_x_first = 0
rl_x_last = 0
rl_y_ticks = 0
rl_y_min = 2
rl_y_max = 65
rl_y_step = 0
rl_y_fine = 0
rl_y_between = 0
rl_y_first = 0
rl_y_last = 0
$cells << END
121.5 54.5 93 150 44.5 64.5 540011
179.5 54.5 151 208 44.5 64.5 13293795
63.5 33.5 35 92 23.5 43.5 6390946
63.5 12.5 35 92 2.5 22.5 15397367
121.5 12.5 93 150 2.5 22.5 14345453
END
rl_cells = 5
load 'style.gp'
load 'matrix.gp'


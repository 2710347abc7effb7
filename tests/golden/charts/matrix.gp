set terminal lua 'rooflight.lua' 0 24000 9000 425 850
rl_tick_size = 8.5
rl_left = 0.159375
rl_right = 0.884375
rl_bottom = 0.022222222222222223
rl_top = 0.7222222222222222
rl_x_ticks = 0
rl_x_min = 38.25
rl_x_max = 212.25
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
125.25 54.5 96.75 153.75 44.5 64.5 540011
183.25 54.5 154.75 211.75 44.5 64.5 13293795
67.25 33.5 38.75 95.75 23.5 43.5 6390946
67.25 12.5 38.75 95.75 2.5 22.5 15397367
125.25 12.5 96.75 153.75 2.5 22.5 14345453
END
rl_cells = 5
load 'style.gp'
load 'matrix.gp'


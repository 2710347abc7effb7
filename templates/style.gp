# style.gp - the common part of every chart: frame, axes, grid, colours. Loaded before the chart's own program.
#
# Numbers that the report sets first (rl_ stands before each):
#   left right bottom top           the frame, as shares of the chart
#   tick_size                       font size of tick labels, points
#   x_ticks y_ticks                 0 none, 1 linear, 2 decades (0.01, 1, 100), 3 SI prefixes (10 G, 1 T), 4 powers of two
#   x_min x_max, y_min y_max        ranges
#   x_step, y_step                  from label to label: in values (linear), else in decades or doublings
#   x_first x_last, y_first y_last  exponents of the first and last power inside the range
#   x_fine, y_fine                  1: label 2 and 5 between decades too
#   x_between, y_between            grid lines between decades: 0 none, 1 at 2 and 5, 2 at 2, 3, ... 9
# Data come in blocks of numbers ($points, $whiskers, ...), each with the count of its rows (rl_points, rl_whiskers, ...).
# Widths, dashes, font sizes and mark sizes are points: the drawing terminal takes them so.

reset
set encoding utf8
set minussign
unset key
set samples 2

rl_ink = 0x222222
rl_ink_soft = 0x555555
rl_axis = 0x8A8A8A
rl_grid = 0xDADADA
rl_grid_fine = 0xEFEFEF
rl_shade = 0xE8E8E8

set lmargin at screen rl_left
set rmargin at screen rl_right
set bmargin at screen rl_bottom
set tmargin at screen rl_top
rl_slack = 1e-9 # a tick on the end of a logarithmic axis must not fall outside by rounding
set xrange [rl_x_min * (rl_x_ticks > 1 ? 1 - rl_slack : 1) : rl_x_max * (rl_x_ticks > 1 ? 1 + rl_slack : 1)]
set yrange [rl_y_min * (rl_y_ticks > 1 ? 1 - rl_slack : 1) : rl_y_max * (rl_y_ticks > 1 ? 1 + rl_slack : 1)]
set border 3 linewidth 0.6 linecolor rgb rl_axis back
set grid back linewidth 0.5 linecolor rgb rl_grid, linewidth 0.35 linecolor rgb rl_grid_fine
rl_font = sprintf(",%g", rl_tick_size)
set tics out nomirror scale 0.7, 0 font rl_font textcolor rgb rl_ink_soft
set xtics offset 0, 0.35
set ytics offset 0.4, 0

# Words for powers of ten and two.
rl_prefixes = "a f p n µ m . k M G T P E Z Y"
rl_prefix(e) = word(rl_prefixes, int(floor(e / 3.0)) + 7)
rl_spaced(e) = rl_prefix(e) eq "." ? "" : " " . rl_prefix(e)
rl_si(m, e) = (e < -18 || e > 26) ? sprintf("%de%d", m, e) : sprintf("%d%s", m * int(10 ** (e - 3 * floor(e / 3.0)) + 0.5), rl_spaced(e))
rl_plain(m, e) = (e < -5 || e > 2) ? rl_si(m, e) : sprintf("%." . (e < 0 ? -e : 0) . "f", m * 10.0 ** e)
rl_decade(ticks, m, e) = ticks == 3 ? rl_si(m, e) : rl_plain(m, e)
rl_two(e) = e < 0 ? sprintf("1/%d", 2 ** -e) : e < 14 ? sprintf("%d", 2 ** e) : e < 80 ? \
    sprintf("%d %s", 2 ** (e % 10), word("Ki Mi Gi Ti Pi Ei Zi", e / 10)) : sprintf("2^%d", e)

if (rl_x_ticks == 0) {
    unset xtics
}
if (rl_x_ticks == 1) {
    set xtics rl_x_step
    set format x "%g"
    set grid xtics
}
if (rl_x_ticks == 2 || rl_x_ticks == 3) {
    set logscale x 10
    set xtics ()
    do for [e = rl_x_first - 1 : rl_x_last] {
        do for [m = 1 : rl_x_step == 1 ? 9 : 1] {
            value = m * 10.0 ** e
            wanted = m == 1 || rl_x_between == 2 || (rl_x_between == 1 && (m == 2 || m == 5))
            if (wanted && value >= rl_x_min * 0.999999 && value <= rl_x_max * 1.000001) {
                if (m == 1 ? e % rl_x_step == 0 : rl_x_fine && (m == 2 || m == 5)) {
                    set xtics add (rl_decade(rl_x_ticks, m, e) value)
                } else {
                    if (rl_x_step <= 6) {
                        set xtics add ("" value m == 1 ? 0 : 1)
                    }
                }
            }
        }
    }
    set grid xtics mxtics
}
if (rl_x_ticks == 4) {
    set logscale x 2
    set xtics ()
    do for [e = rl_x_first : rl_x_last : rl_x_step] {
        set xtics add (rl_two(e) 2.0 ** e)
    }
    set grid xtics
}

if (rl_y_ticks == 0) {
    unset ytics
}
if (rl_y_ticks == 1) {
    set ytics rl_y_step
    set format y "%g"
    set grid ytics
}
if (rl_y_ticks == 2 || rl_y_ticks == 3) {
    set logscale y 10
    set ytics ()
    do for [e = rl_y_first - 1 : rl_y_last] {
        do for [m = 1 : rl_y_step == 1 ? 9 : 1] {
            value = m * 10.0 ** e
            wanted = m == 1 || rl_y_between == 2 || (rl_y_between == 1 && (m == 2 || m == 5))
            if (wanted && value >= rl_y_min * 0.999999 && value <= rl_y_max * 1.000001) {
                if (m == 1 ? e % rl_y_step == 0 : rl_y_fine && (m == 2 || m == 5)) {
                    set ytics add (rl_decade(rl_y_ticks, m, e) value)
                } else {
                    if (rl_y_step <= 6) {
                        set ytics add ("" value m == 1 ? 0 : 1)
                    }
                }
            }
        }
    }
    set grid ytics mytics
}
if (rl_y_ticks == 4) {
    set logscale y 2
    set ytics ()
    do for [e = rl_y_first : rl_y_last : rl_y_step] {
        set ytics add (rl_two(e) 2.0 ** e)
    }
    set grid ytics
}

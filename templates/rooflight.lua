-- rooflight.lua - gnuplot's lua terminal, printing plain drawing commands.
--
--   set terminal lua 'rooflight.lua' NUMBER WIDTH HEIGHT H_CHAR V_CHAR
--
-- All arguments are whole numbers: the number of the chart, then lengths in hundredths of a point (1/7200 inch): the size of the chart,
-- and the room that one character of tick text takes. The origin is the lower left corner, y points up. One command a line; every number
-- is whole, every length in hundredths of a point:
--
--   begin NUMBER WIDTH HEIGHT      starts chart NUMBER; everything is as it is by default (solid, opaque black, left, not turned)
--   move X Y                       starts a line
--   line X Y                       goes on with it
--   width W                        of lines
--   dash N A1 .. AN                lengths on and off; N = 0: solid
--   colour R G B A                 0..255, A = 255 is opaque; for everything that follows
--   font SIZE BOLD                 BOLD is 0 or 1
--   justify left|centre|right      which part of the text lies at its position
--   angle DEGREES                  of text, counter-clockwise
--   text X Y LENGTH BYTES          vertically centred on X Y; LENGTH bytes, whatever they are, then a line break
--   point X Y SHAPE RADIUS         a mark with the area of a circle of that radius; shapes are gnuplot's point types
--   polygon N X1 Y1 .. XN YN       filled
--   end                            of the chart
--
-- gnuplot clips what it draws; widths, dash lengths, font sizes and point sizes in programs are points.

local WHITE, BLACK = {255, 255, 255, 255}, {0, 0, 0, 255}
local NO_DRAW, BACKGROUND = -3, -4 -- gnuplot's line types with a meaning of their own
local CUSTOM_DASH = -3

local number, at_x, at_y = 0, nil, nil
local wanted, current = {}, {} -- the style asked for, and the style that the reader has been told
local hidden = false
local point_radius = 100

local function whole(value)
    return string.format("%d", math.floor(value + 0.5))
end

local function hundredths(value)
    return whole(value * 100)
end

local function put(...)
    gp.write(table.concat({...}, " ") .. "\n")
end

-- Style commands are held back until something is drawn with them, and left out when they change nothing.
local function style(...)
    for _, name in ipairs({...}) do
        if wanted[name] ~= current[name] then
            put(name, wanted[name])
            current[name] = wanted[name]
        end
    end
end

local function colour(c)
    wanted.colour = string.format("%d %d %d %d", c[1], c[2], c[3], c[4])
end

local function numbers(text)
    local list = {}
    for digits in text:gmatch("%d+") do
        list[#list + 1] = tonumber(digits)
    end
    return list
end

term.options = function(text, initial, token)
    local list = numbers(text)
    if #list ~= 5 then
        gp.int_error(token, "five numbers expected: NUMBER WIDTH HEIGHT H_CHAR V_CHAR")
    end
    number = list[1]
    term.xmax, term.ymax = list[2] + 1, list[3] + 1 -- the last unit lies on the edge
    term.h_char, term.v_char = list[4], list[5]
    gp.term_options(text)
    return 1
end

term.init = function()
    return 1
end

term.graphics = function()
    put("begin", whole(number), whole(term.xmax - 1), whole(term.ymax - 1))
    current = {width = "100", dash = "0", colour = "0 0 0 255", font = "750 0", justify = "left", angle = "0"}
    wanted = {}
    for name, value in pairs(current) do
        wanted[name] = value
    end
    at_x, at_y, hidden = nil, nil, false
    return 1
end

term.text = function()
    put("end")
    return 1
end

term.reset = function()
    return 1
end

local move_x, move_y -- a move is printed when a line follows

term.move = function(x, y)
    move_x, move_y = x, y
    return 1
end

term.vector = function(x, y)
    if hidden or (x == move_x and y == move_y) then -- ticks of no length, for one
        move_x, move_y = x, y
        return 1
    end
    local changed = wanted.width ~= current.width or wanted.dash ~= current.dash or wanted.colour ~= current.colour
    style("width", "dash", "colour")
    if changed or move_x ~= at_x or move_y ~= at_y then
        put("move", whole(move_x), whole(move_y))
    end
    put("line", whole(x), whole(y))
    at_x, at_y, move_x, move_y = x, y, x, y
    return 1
end

term.linewidth = function(width)
    wanted.width = hundredths(width)
    return 1
end

term.linetype = function(kind)
    hidden = kind == NO_DRAW
    wanted.dash = "0"
    colour(kind == BACKGROUND and WHITE or BLACK)
    return 1
end

term.dashtype = function(kind, pattern)
    wanted.dash = "0"
    if kind == CUSTOM_DASH then
        local lengths = {}
        for i = 1, #pattern do
            if pattern[i] <= 0 then
                break
            end
            lengths[i] = hundredths(pattern[i])
        end
        wanted.dash = #lengths .. " " .. table.concat(lengths, " ")
    end
    return 1
end

term.set_color = function(kind, line_type, value, opacity, r, g, b)
    if kind == "RGBA" then
        colour({whole(r * 255), whole(g * 255), whole(b * 255), whole(opacity * 255)})
    elseif kind == "FRAC" then
        colour({whole(r * 255), whole(g * 255), whole(b * 255), 255})
    else
        colour(line_type == BACKGROUND and WHITE or BLACK)
    end
    return 1
end

term.set_font = function(font) -- "name,size", the name may hold ":Bold"
    local size = tonumber(font:match(",%s*([%d.]+)")) or 7.5
    wanted.font = hundredths(size) .. (font:find("Bold", 1, true) and " 1" or " 0")
    return 1
end

term.justify_text = function(where)
    wanted.justify = where == "center" and "centre" or where
    return 1
end

term.text_angle = function(degrees)
    wanted.angle = whole(degrees)
    return 1
end

term.put_text = function(x, y, text)
    if text ~= "" then
        style("colour", "font", "justify", "angle")
        put("text", whole(x), whole(y), whole(#text), text)
    end
    return 1
end

term.pointsize = function(size)
    point_radius = size < 0 and 1 or size
    return 1
end

term.point = function(x, y, kind) -- gnuplot counts point types from 0 here
    style("width", "colour")
    put("point", whole(x), whole(y), whole(kind + 1), hundredths(point_radius))
    at_x, at_y = nil, nil
    return 1
end

-- Fill styles change the colour: a density mixes it with white, a transparency lets shine through.
local function fill_colour(kind, percent)
    local c = numbers(wanted.colour)
    local share = math.min(math.max(percent / 100, 0), 1)
    if kind == "EMPTY" then
        return WHITE
    elseif kind == "SOLID" then
        for i = 1, 3 do
            c[i] = whole(255 - (255 - c[i]) * share)
        end
    elseif kind == "TRANSPARENT_SOLID" then
        c[4] = whole(255 * share)
    end
    return c
end

term.filled_polygon = function(kind, percent, corners)
    if #corners < 3 then -- gnuplot before 5.4 clips what touches the frame to an edge: it covers nothing
        return 1
    end
    local kept, list = wanted.colour, {}
    colour(fill_colour(kind, percent))
    style("colour")
    for i, corner in ipairs(corners) do
        list[i] = whole(corner[1]) .. " " .. whole(corner[2])
    end
    put("polygon", whole(#corners), table.concat(list, " "))
    wanted.colour = kept
    at_x, at_y = nil, nil
    return 1
end

term.boxfill = function(kind, percent, x, y, width, height)
    return term.filled_polygon(kind, percent, {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}})
end

term.layer = function(name)
    return 1
end

term.path = function(kind)
    return 1
end

term.boxed_text = function(x, y, option)
    return 1
end

term.make_palette = function()
    return 0
end

term.previous_palette = function()
    return 1
end

term.arrow = function()
    return 0 -- gnuplot draws arrows with lines
end

term.image = function()
    gp.int_error(0, "this terminal draws no images")
end

term.description = "rooflight drawing commands"
term.tscale = 1
term.h_tic, term.v_tic = 300, 300
term.flags = term.TERM_BINARY + term.TERM_CAN_CLIP + term.TERM_CAN_DASH + term.TERM_ALPHA_CHANNEL + term.TERM_LINEWIDTH +
    term.TERM_CAN_MULTIPLOT
term.xmax, term.ymax, term.h_char, term.v_char = 10001, 10001, 400, 900

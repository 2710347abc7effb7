#include "drawing.h"

enum { NO_LIMIT = 2000000 /* hundredths of a point; paper is far smaller */, MAX_TEXT = 4096, MAX_NUMBERS = 8192 };

struct reader {
    struct rl_drawing *drawing;
    const struct rl_text_metrics *metrics;
    const char *at, *end;
    size_t line;
    const char *wrong; /* what is wrong with this line; NULL: nothing */
    bool begun, ended;
    long *args;
    size_t arg_count, arg_cap;
    /* style */
    struct rl_colour colour;
    double width, size, dash[RL_DRAW_DASHES];
    int dash_count;
    bool bold;
    double angle;
    enum rl_draw_align align;
    /* the line that is being drawn */
    struct rl_vertex start;  /* where the last "move" or "line" ended */
    bool has_start, in_path; /* in_path: the last operation is that line and takes further vertices */
    size_t number;           /* of the chart that is expected */
};

static double points(long hundredths)
{
    return (double)hundredths / 100.0;
}

/* The next word of the line, "" at its end. */
static size_t next_word(struct reader *r, const char **word)
{
    while (r->at < r->end && *r->at == ' ')
        r->at++;
    *word = r->at;
    while (r->at < r->end && *r->at != ' ' && *r->at != '\n')
        r->at++;
    return (size_t)(r->at - *word);
}

/* Whole numbers only: independent of the locale and of rounding. */
static bool read_number(struct reader *r, long *value)
{
    const char *word;
    size_t len = next_word(r, &word);
    bool negative = len > 0 && word[0] == '-';
    if (len == (size_t)negative || len > 9)
        return false;
    *value = 0;
    for (size_t i = negative; i < len; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        *value = *value * 10 + (word[i] - '0');
    }
    if (negative)
        *value = -*value;
    return *value >= -NO_LIMIT && *value <= NO_LIMIT;
}

static bool read_numbers(struct reader *r, size_t count)
{
    long value;
    for (size_t i = 0; i < count; i++) {
        if (!read_number(r, &value))
            return false;
        RL_APPEND(r->args, r->arg_count, r->arg_cap, value);
    }
    return true;
}

/* A count, then `each` times as many numbers; args holds the numbers only. */
static bool read_list(struct reader *r, size_t most, size_t each)
{
    long count;
    return read_number(r, &count) && count >= 0 && (size_t)count <= most && read_numbers(r, (size_t)count * each);
}

static void do_begin(struct reader *r)
{
    const struct rl_drawing *d = r->drawing;
    if (r->args[0] < 0 || (size_t)r->args[0] != r->number)
        r->wrong = "another chart than expected";
    else if (fabs(points(r->args[1]) - d->width) > 0.02 || fabs(points(r->args[2]) - d->height) > 0.02)
        r->wrong = "another size than expected";
    r->begun = true;
}

static void do_end(struct reader *r)
{
    r->ended = true;
}

static void do_move(struct reader *r)
{
    r->start = (struct rl_vertex){points(r->args[0]), points(r->args[1])};
    r->has_start = true;
    r->in_path = false;
}

static void do_line(struct reader *r)
{
    struct rl_vertex to = {points(r->args[0]), points(r->args[1])};
    struct rl_drawing *d = r->drawing;
    if (!r->has_start) {
        r->wrong = "a line without a start";
        return;
    }
    if (r->in_path) {
        assert(d->op_count > 0 && d->ops[d->op_count - 1].kind == RL_DRAW_PATH);
        RL_APPEND(d->vertices, d->vertex_count, d->vertex_cap, to);
        d->ops[d->op_count - 1].count++;
    } else {
        struct rl_draw_op *op = rl_drawing_path(d, (struct rl_vertex[]){r->start, to}, 2, false);
        op->stroke = r->colour;
        op->line_width = r->width;
        op->dash_count = r->dash_count;
        memcpy(op->dash, r->dash, sizeof op->dash);
    }
    r->start = to;
    r->in_path = true;
}

static void do_width(struct reader *r)
{
    r->width = points(r->args[0]);
    if (r->args[0] <= 0)
        r->wrong = "a line width that is not positive";
}

static void do_dash(struct reader *r)
{
    assert(r->arg_count <= RL_DRAW_DASHES);
    r->dash_count = (int)r->arg_count;
    if (r->arg_count % 2 != 0)
        r->wrong = "an odd number of dash lengths";
    for (size_t i = 0; i < r->arg_count; i++) {
        r->dash[i] = points(r->args[i]);
        if (r->args[i] <= 0)
            r->wrong = "a dash length that is not positive";
    }
}

static void do_colour(struct reader *r)
{
    for (int i = 0; i < 4; i++)
        if (r->args[i] < 0 || r->args[i] > 255)
            r->wrong = "a colour outside 0..255";
    r->colour = (struct rl_colour){(uint8_t)r->args[0], (uint8_t)r->args[1], (uint8_t)r->args[2], (uint8_t)r->args[3]};
}

static void do_font(struct reader *r)
{
    r->size = points(r->args[0]);
    r->bold = r->args[1] != 0;
    if (r->args[0] <= 0)
        r->wrong = "a font size that is not positive";
}

static void do_justify(struct reader *r)
{
    static const char *const names[] = {[RL_DRAW_LEFT] = "left", [RL_DRAW_CENTRE] = "centre", [RL_DRAW_RIGHT] = "right"};
    const char *word;
    size_t len = next_word(r, &word);
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        if (len == strlen(names[i]) && memcmp(word, names[i], len) == 0) {
            r->align = (enum rl_draw_align)i;
            return;
        }
    }
    r->wrong = "an unknown justification";
}

static void do_angle(struct reader *r)
{
    r->angle = (double)r->args[0];
}

/* The terminal's position is the middle of the letters' height; ours is on the base line, half a capital below along the turned
 * text. */
static void do_text(struct reader *r)
{
    if (r->args[2] < 0 || r->args[2] > MAX_TEXT || r->end - r->at < r->args[2] + 1 || *r->at != ' ') {
        r->wrong = "a text of another length than it says";
        return;
    }
    double drop = r->metrics->cap_height * r->size / 2, turn = r->angle * (M_PI / 180);
    struct rl_draw_op *op =
        rl_drawing_text(r->drawing, points(r->args[0]) + drop * sin(turn), points(r->args[1]) - drop * cos(turn), r->align, r->size,
                        r->at + 1, (size_t)r->args[2]);
    op->bold = r->bold;
    op->angle = r->angle;
    op->colour = r->colour;
    r->at += 1 + r->args[2];
}

static void do_point(struct reader *r)
{
    if (r->args[3] > 0)
        rl_drawing_mark(r->drawing, points(r->args[0]), points(r->args[1]), (int)r->args[2], points(r->args[3]), r->width,
                        r->colour);
}

static void do_polygon(struct reader *r)
{
    assert(r->arg_count % 2 == 0);
    size_t count = r->arg_count / 2;
    struct rl_draw_op *op = rl_drawing_path(r->drawing, NULL, 0, true);
    op->fill = r->colour;
    op->count = count;
    struct rl_drawing *d = r->drawing;
    RL_GROW(d->vertices, d->vertex_count + count, d->vertex_cap);
    for (size_t i = 0; i < count; i++)
        d->vertices[d->vertex_count++] = (struct rl_vertex){points(r->args[2 * i]), points(r->args[2 * i + 1])};
    if (count < 3)
        r->wrong = "a polygon of fewer than three corners";
}

/* One row a command: `numbers` fixed arguments, or a list of at most `most` groups of `each` numbers. */
static const struct command {
    const char *name;
    size_t numbers, most, each;
    bool draws; /* ends the line that is being drawn */
    void (*apply)(struct reader *r);
} commands[] = {
    {"begin", 3, 0, 0, false, do_begin},
    {"end", 0, 0, 0, true, do_end},
    {"move", 2, 0, 0, false, do_move},
    {"line", 2, 0, 0, false, do_line},
    {"width", 1, 0, 0, true, do_width},
    {"dash", 0, RL_DRAW_DASHES, 1, true, do_dash},
    {"colour", 4, 0, 0, true, do_colour},
    {"font", 2, 0, 0, false, do_font},
    {"justify", 0, 0, 0, false, do_justify},
    {"angle", 1, 0, 0, false, do_angle},
    {"text", 3, 0, 0, true, do_text},
    {"point", 4, 0, 0, true, do_point},
    {"polygon", 0, MAX_NUMBERS, 2, true, do_polygon},
};

static const struct command *find_command(const char *word, size_t len)
{
    return RL_FIND(i, commands, RL_COUNT(commands), strlen(commands[i].name) == len && memcmp(commands[i].name, word, len) == 0);
}

static void read_line(struct reader *r)
{
    const char *word;
    size_t len = next_word(r, &word);
    const struct command *command = find_command(word, len);
    if (command == NULL) {
        r->wrong = "an unknown command";
        return;
    }
    if (r->begun == (command->apply == do_begin)) {
        r->wrong = r->begun ? "a chart inside a chart" : "no \"begin\"";
        return;
    }
    r->arg_count = 0;
    if (!(command->most > 0 ? read_list(r, command->most, command->each) : read_numbers(r, command->numbers))) {
        r->wrong = "a number is missing or out of range";
        return;
    }
    if (command->draws)
        r->in_path = false;
    command->apply(r);
    if (r->wrong == NULL && (r->at >= r->end || *r->at++ != '\n'))
        r->wrong = "more or less than the command takes";
}

enum rl_status rl_drawing_read(struct rl_drawing *drawing, size_t number, const struct rl_text_metrics *metrics, const char **text,
                               size_t *len, struct rl_err *err)
{
    struct reader r = {.drawing = drawing,
                       .metrics = metrics,
                       .at = *text,
                       .end = *text + *len,
                       .number = number,
                       .colour = {0, 0, 0, 255},
                       .width = 1,
                       .size = 7.5};
    while (!r.ended && r.wrong == NULL && r.at < r.end) {
        r.line++;
        read_line(&r);
    }
    if (r.wrong == NULL && !r.ended)
        r.wrong = "no \"end\"";
    free(r.args);
    if (r.wrong != NULL)
        return rl_err_set(err, RL_FORMAT, "drawing commands of chart %zu, line %zu: %s", number, r.line, r.wrong);
    *text = r.at;
    *len = (size_t)(r.end - r.at);
    return RL_OK;
}

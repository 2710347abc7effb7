/* Charts from their data to drawings, through gnuplot. RL_UPDATE_GOLDEN=1 in the environment rewrites the golden files. */
#include "rl_test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "chart.h"
#include "chart_kind.h"
#include "core/fs.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "drawing_print.h"
#include "fixtures/files.h"

/* Every column is half the size wide, bold ones a little more: the same on every machine. */
static double plain_width(void *context, const char *text, size_t len, double size_pt, int bold)
{
    (void)context;
    return (bold ? 0.55 : 0.5) * size_pt * (double)rl_utf8_width(text, len);
}

static struct rl_chart_env environment(void)
{
    return (struct rl_chart_env){.text = {.width = plain_width, .cap_height = 0.7, .ascent = 0.75, .descent = 0.25}};
}

/* ---- one small chart of each kind ---- */

static const struct rl_chart_roof roofs[] = {{5e12, true, true, true, "DRAM 5 TB/s"},
                                             {60e12, false, true, false, "FP32 60 TFLOP/s"},
                                             {30e12, false, false, false, "FP64 30 TFLOP/s"},
                                             {5.5e12, true, true, false, "DRAM 5.5 TB/s (theoretical)"}};
static const struct rl_chart_point points[] = {{0.125, 0.5e12, NAN, NAN, RL_TONE_DRAM, false, "stride_1"},
                                               {24, 40e12, 35e12, 45e12, RL_TONE_COMPUTE, false, "live128"},
                                               {1, 1e11, NAN, NAN, RL_TONE_LATENCY, true, "serial"},
                                               {NAN, 1e12, NAN, NAN, RL_TONE_GREY, false, "no intensity"}};
static const struct rl_chart_reference references[] = {{5e12, false, "DRAM 5 TB/s"}, {4.3e12, true, "copy 4.3 TB/s"}};
static const struct rl_chart_bar bars[] = {{"naive", 0.9e12, 0.8e12, 1.0e12, RL_TONE_LATENCY, false, NULL},
                                           {"padded", 4.1e12, NAN, NAN, RL_TONE_DRAM, true, "4.1 TB/s, 4.6x"},
                                           {"broken", NAN, NAN, NAN, RL_TONE_GREY, false, "WRONG"}};
static const double strides[] = {1, 2, 4, 8}, useful[] = {4e12, 2e12, 1e12, 0.5e12}, low[] = {3.9e12, 1.9e12, 0.9e12, 0.4e12},
                    high[] = {4.1e12, 2.1e12, 1.1e12, 0.6e12}, traffic[] = {4e12, 4e12, 3.9e12, 4e12};
static const struct rl_chart_series series[] = {{"useful", RL_TONE_DRAM, 4, strides, useful, low, high},
                                                {"traffic", RL_TONE_GREY, 4, strides, traffic, NULL, NULL}};

static const double computing[] = {0.5, 0.5, 0, 1}, copying[] = {0.25, 0.6, NAN, 0}, rare[] = {0, 0, 0.02, 0};
static const struct rl_chart_layer stacked[] = {{"kernels", RL_TONE_COMPUTE, computing, "2 ms"}, {"copies", RL_TONE_DRAM, copying}},
                                   seldom[] = {{NULL, RL_TONE_FILL, rare}};
static const struct rl_chart_share_lane share_lanes[] = {{NULL, "the GPU", "2.35 ms", 30, 1, stacked, RL_COUNT(stacked), true},
                                                         {"to 4 %", "host work", "20 us", 12, 0.04, seldom, 1}};

static const struct rl_chart_interval interval_rows[] = {{"faster", 0.8, 0.78, 0.83, NAN, RL_TONE_LATENCY, false, true, "-20 %"},
                                                         {"undecided", 1.02, 0.98, 1.07, 1.1, RL_TONE_GREY, true, false, NULL},
                                                         {"broken", NAN, NAN, NAN, NAN, RL_TONE_GREY, false, false, "WRONG"}};
static const struct rl_chart_reference unchanged[] = {{1, true, NULL}};

static const struct rl_chart samples[RL_CHART_KINDS] = {
    [RL_CHART_ROOFLINE] = {RL_CHART_ROOFLINE, 400, 240, .roofline = {roofs, RL_COUNT(roofs), points, RL_COUNT(points)}},
    [RL_CHART_BARS] = {RL_CHART_BARS, 300, 90, .bars = {RL_UNIT_BYTE_PER_SECOND, "Bandwidth", bars, RL_COUNT(bars), references, 2}},
    [RL_CHART_LINES] = {RL_CHART_LINES, 300, 150,
                        .lines = {RL_UNIT_COUNT, RL_UNIT_BYTE_PER_SECOND, RL_SCALE_LOG2, RL_SCALE_LINEAR, "Stride", "Bandwidth",
                                  true, series, RL_COUNT(series), references, 2}},
    [RL_CHART_LANES] = {RL_CHART_LANES, 300, 90, .lanes = {"Time", share_lanes, RL_COUNT(share_lanes), 4, 1e-3}},
    [RL_CHART_INTERVALS] = {RL_CHART_INTERVALS, 300, 90,
                            .intervals = {RL_UNIT_NONE, false, "Time, new over base", 0.99, 1.01, 0, interval_rows,
                                          RL_COUNT(interval_rows), unchanged, 1}},
};
static const char *const names[RL_CHART_KINDS] = {"roofline", "bars", "lines", "lanes", "intervals"};

/* ---- helpers ---- */

static bool has_gnuplot(void)
{
    struct rl_buf version = RL_BUF_INIT;
    bool found = rl_gnuplot_probe(NULL, &version, NULL) == RL_OK;
    rl_buf_release(&version);
    if (!found)
        rl_test_without("gnuplot with its lua terminal");
    return found;
}

/* Drawing commands differ by a rounding between versions of gnuplot: exact goldens are compared with the version that made them. */
static bool is_golden_version(void)
{
    struct rl_buf version = RL_BUF_INIT;
    bool same = rl_gnuplot_probe(NULL, &version, NULL) == RL_OK && strncmp(version.data, "gnuplot 5.4 ", 12) == 0;
    if (!same)
        print_message("golden drawings are of gnuplot 5.4, this is %s: not compared\n", version.data);
    rl_buf_release(&version);
    return same;
}

static void draw_all(const struct rl_chart *charts, size_t count, const struct rl_chart_env *env, struct rl_chart_result *results)
{
    struct rl_err err = RL_ERR_INIT;
    if (rl_charts_draw(charts, count, env, results, &err) != RL_OK)
        fail_msg("%s", err.text);
}

static void release_all(struct rl_chart_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rl_chart_result_release(&results[i]);
}

static void assert_golden(const char *name, const char *suffix, const char *text, size_t len)
{
    char path[512];
    struct rl_buf expected = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    snprintf(path, sizeof path, RL_SOURCE_DIR "/tests/golden/charts/%s.%s", name, suffix);
    if (getenv("RL_UPDATE_GOLDEN") != NULL)
        assert_int_equal(rl_write_file_atomic(path, text, len, &err), RL_OK);
    if (rl_read_file(path, 1 << 20, &expected, &err) != RL_OK)
        fail_msg("%s", err.text);
    if (expected.len != len || memcmp(expected.data, text, len) != 0) {
        size_t line = 1, at = 0;
        for (; at < len && at < expected.len && expected.data[at] == text[at]; at++)
            line += text[at] == '\n';
        while (at > 0 && text[at - 1] != '\n')
            at--;
        fail_msg("%s differs in line %zu: %.*s", path, line, (int)strcspn(text + at, "\n"), text + at);
    }
    rl_buf_release(&expected);
}

static void read_kept(const char *dir, const char *name, struct rl_buf *out)
{
    char *path = rl_path_join(dir, name);
    struct rl_err err = RL_ERR_INIT;
    if (rl_read_file(path, 1 << 24, out, &err) != RL_OK)
        fail_msg("%s", err.text);
    free(path);
}

static double op_width(const struct rl_draw_op *op)
{
    return plain_width(NULL, op->text, op->text_len, op->size, op->bold);
}

static const struct rl_draw_op *find_text(const struct rl_drawing *d, const char *text)
{
    for (size_t i = 0; i < d->op_count; i++)
        if (d->ops[i].kind == RL_DRAW_TEXT && d->ops[i].text_len == strlen(text) && memcmp(d->ops[i].text, text, strlen(text)) == 0)
            return &d->ops[i];
    return NULL;
}

/* ---- goldens ---- */

/* The program is made by us alone: the same on every machine. */
static void programs_are_as_reviewed(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    for (int kind = 0; kind < RL_CHART_KINDS; kind++) {
        struct rl_chart_env env = environment();
        struct rl_chart_result result;
        struct rl_buf program = RL_BUF_INIT;
        char *dir = files_new_folder();
        env.keep_dir = dir;
        draw_all(&samples[kind], 1, &env, &result);
        read_kept(dir, "charts.gp", &program);
        assert_golden(names[kind], "gp", program.data, program.len);
        rl_buf_release(&program);
        rl_chart_result_release(&result);
        files_remove_folder(dir);
    }
}

static void drawings_are_as_reviewed(void **state)
{
    (void)state;
    if (!has_gnuplot() || !is_golden_version())
        skip();
    struct rl_chart_env env = environment();
    struct rl_chart_result results[RL_CHART_KINDS];
    draw_all(samples, RL_CHART_KINDS, &env, results);
    for (int kind = 0; kind < RL_CHART_KINDS; kind++) {
        struct rl_buf text = RL_BUF_INIT;
        drawing_print(&results[kind].drawing, &text);
        assert_golden(names[kind], "draw", text.data, text.len);
        rl_buf_release(&text);
    }
    release_all(results, RL_CHART_KINDS);
}

static void the_same_data_give_the_same_drawing(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    struct rl_chart_env env = environment();
    struct rl_chart_result results[2][RL_CHART_KINDS];
    for (int run = 0; run < 2; run++)
        draw_all(samples, RL_CHART_KINDS, &env, results[run]);
    for (int kind = 0; kind < RL_CHART_KINDS; kind++) {
        struct rl_buf a = RL_BUF_INIT, b = RL_BUF_INIT;
        drawing_print(&results[0][kind].drawing, &a);
        drawing_print(&results[1][kind].drawing, &b);
        assert_string_equal(a.data, b.data);
        rl_buf_release(&a);
        rl_buf_release(&b);
    }
    release_all(results[0], RL_CHART_KINDS);
    release_all(results[1], RL_CHART_KINDS);
}

/* ---- what a chart must show ---- */

/* Our idea of where a value lies is gnuplot's: the mark that gnuplot drew is where the arithmetic by hand puts it. */
static void marks_lie_where_the_scales_say(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    struct rl_chart_env env = environment();
    struct rl_chart_result result;
    struct rl_chart chart = samples[RL_CHART_ROOFLINE];
    const struct rl_chart_point one = {1, 1e12, NAN, NAN, RL_TONE_DRAM, false, NULL, NULL};
    chart.roofline = (struct rl_chart_roofline){NULL, 0, &one, 1, NULL, NULL};
    draw_all(&chart, 1, &env, &result);
    const struct rl_draw_op *mark = NULL, *x_tick = find_text(&result.drawing, "1"), *y_tick = find_text(&result.drawing, "1 T");
    for (size_t i = 0; i < result.drawing.op_count; i++)
        if (result.drawing.ops[i].kind == RL_DRAW_CIRCLE && result.drawing.ops[i].radius == 3)
            mark = &result.drawing.ops[i];
    assert_non_null(mark);
    assert_non_null(x_tick);
    assert_non_null(y_tick);
    assert_true(fabs(mark->x - x_tick->x) < 0.03);
    assert_true(fabs(mark->y - (y_tick->y + 0.7 * 8.5 / 2)) < 0.03); /* the base line lies half a capital below the tick */
    rl_chart_result_release(&result);
}

static size_t strokes_between(const struct rl_drawing *d, struct rl_vertex a, struct rl_vertex b)
{
    size_t found = 0;
    for (size_t i = 0; i < d->op_count; i++) {
        const struct rl_draw_op *op = &d->ops[i];
        const struct rl_vertex *v = &d->vertices[op->first];
        found += op->kind == RL_DRAW_PATH && op->count == 2 && fabs(v[0].x - a.x) < 0.05 && fabs(v[0].y - a.y) < 0.05 &&
                 fabs(v[1].x - b.x) < 0.05 && fabs(v[1].y - b.y) < 0.05;
    }
    return found;
}

/* Joined points have a line between them, a measured roof has its spread around it. */
static void joins_and_bands_are_drawn(void **state)
{
    static const struct rl_chart_point three[] = {{.x = 10, .y = 1e12, .low = NAN, .high = NAN, .radius = 2},
                                                  {.x = 1, .y = 1e12, .low = NAN, .high = NAN, .radius = 3, .joined = true},
                                                  {.x = 1, .y = 1e11, .low = NAN, .high = NAN, .radius = 4}};
    static const struct rl_chart_roof roof = {.value = 1e13, .measured = true, .main = true, .low = 0.5e13, .high = 2e13};
    struct rl_chart_env env = environment();
    struct rl_chart_result result;
    struct rl_chart chart = samples[RL_CHART_ROOFLINE];
    (void)state;
    if (!has_gnuplot())
        skip();
    chart.roofline = (struct rl_chart_roofline){.roofs = &roof, .roof_count = 1, .points = three, .point_count = 3};
    draw_all(&chart, 1, &env, &result);
    struct rl_vertex at[3];
    size_t bands = 0;
    for (size_t i = 0; i < result.drawing.op_count; i++) {
        const struct rl_draw_op *op = &result.drawing.ops[i];
        bands += op->kind == RL_DRAW_PATH && op->count >= 4 && op->fill.a != 0 && op->fill.r == 0xE8;
    }
    for (size_t i = 0; i < 3; i++) /* neutral marks are diamonds: their middle follows from the ticks */
        at[i] = (struct rl_vertex){find_text(&result.drawing, three[i].x == 10 ? "10" : "1")->x,
                                   find_text(&result.drawing, three[i].y == 1e12 ? "1 T" : "100 G")->y + 0.7 * 8.5 / 2};
    assert_int_equal(strokes_between(&result.drawing, at[0], at[1]), 1);
    assert_int_equal(strokes_between(&result.drawing, at[1], at[2]), 0);
    assert_int_equal(bands, 1);
    rl_chart_result_release(&result);
}

/* The main roof rises by one decade of FLOP/s a decade of intensity; its name has that slope on paper. */
static void roof_names_have_the_slope_of_their_roof(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    struct rl_chart_env env = environment();
    struct rl_chart_result result;
    draw_all(&samples[RL_CHART_ROOFLINE], 1, &env, &result);
    const struct rl_drawing *d = &result.drawing;
    const struct rl_draw_op *name = find_text(d, "DRAM 5 TB/s"), *a = find_text(d, "1"), *b = find_text(d, "10"),
                            *c = find_text(d, "1 T"), *e = find_text(d, "10 T");
    assert_true(name != NULL && a != NULL && b != NULL && c != NULL && e != NULL);
    assert_close(tan(name->angle * M_PI / 180), (e->y - c->y) / (b->x - a->x), 0.002);
    assert_non_null(find_text(d, "FP32 60 TFLOP/s"));
    assert_non_null(find_text(d, "stride_1"));
    assert_non_null(find_text(d, "ridge 12.0\xC2\xA0"
                                 "FLOP/B"));
    assert_int_equal(result.skipped, 1); /* the point without intensity */
    assert_int_equal(result.bare, 0);
    rl_chart_result_release(&result);
}

static void bars_show_value_note_and_reason(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    struct rl_chart_env env = environment();
    struct rl_chart_result result;
    draw_all(&samples[RL_CHART_BARS], 1, &env, &result);
    const struct rl_drawing *d = &result.drawing;
    assert_non_null(find_text(d, "900\xC2\xA0GB/s"));
    assert_true(find_text(d, "padded")->bold && find_text(d, "4.1 TB/s, 4.6x")->bold && !find_text(d, "naive")->bold);
    assert_non_null(find_text(d, "WRONG"));
    assert_non_null(find_text(d, "Bandwidth, TB/s"));
    assert_true(find_text(d, "naive")->y > find_text(d, "broken")->y); /* the first is on top */
    size_t filled = 0;
    for (size_t i = 0; i < d->op_count; i++)
        filled += d->ops[i].kind == RL_DRAW_PATH && d->ops[i].closed && d->ops[i].fill.g == rl_tones[RL_TONE_LATENCY].mark.g;
    assert_int_equal(filled, 1);
    assert_int_equal(result.skipped, 1);
    rl_chart_result_release(&result);
}

/* How many filled shapes have this colour. */
static size_t filled_with(const struct rl_drawing *d, struct rl_colour colour)
{
    size_t count = 0;
    for (size_t i = 0; i < d->op_count; i++)
        count += d->ops[i].kind == RL_DRAW_PATH && d->ops[i].closed && memcmp(&d->ops[i].fill, &colour, sizeof colour) == 0;
    return count;
}

/* Layers stand on one another, are cut off at the lane's full height, and say of each stretch how much it was. */
static void lanes_stack_their_layers(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    struct rl_chart_env env = environment();
    struct rl_chart_result result;
    draw_all(&samples[RL_CHART_LANES], 1, &env, &result);
    const struct rl_drawing *d = &result.drawing;
    assert_true(find_text(d, "the GPU")->y > find_text(d, "host work")->y);
    assert_non_null(find_text(d, "to 4 %"));
    assert_true(find_text(d, "kernels 2 ms")->x < find_text(d, "copies")->x); /* of the key, with a square each */
    assert_non_null(find_text(d, "Time, ms"));
    assert_int_equal(filled_with(d, rl_tones[RL_TONE_COMPUTE].mark), 3); /* two steps, and the last one */
    assert_int_equal(filled_with(d, rl_tones[RL_TONE_DRAM].mark), 2);    /* on the first two */
    assert_int_equal(filled_with(d, rl_tones[RL_TONE_FILL].mark), 1);
    assert_string_equal(d->tips[0].text, "the GPU: 2.35 ms, kernels 2 ms, copies");
    assert_string_equal(d->tips[1].text, "host work: 20 us");
    assert_string_equal(d->tips[2].text, "the GPU: 0\u00a0s to 1.00\u00a0ms, kernels 50.0\u00a0%, copies 25.0\u00a0%");
    assert_int_equal(d->tip_count, 2 + 2 * 4);
    double top = 0, bottom = INFINITY;
    for (size_t i = 0; i < d->op_count; i++) {
        const struct rl_vertex *at = &d->vertices[d->ops[i].first];
        if (d->ops[i].kind != RL_DRAW_PATH || !d->ops[i].fill.a || fabs(at[1].x - at[0].x) < 6) /* squares of the key */
            continue;
        for (size_t k = 0; k < d->ops[i].count; k++) {
            top = fmax(top, at[k].y);
            bottom = fmin(bottom, at[k].y);
        }
    }
    assert_true(top <= d->height - 11 && bottom > 20); /* below the key, above the axis */
    rl_chart_result_release(&result);
}

/* ---- hostile and extreme data ---- */

static const char hostile[] =
    "`touch /tmp/rl_hostile` $(touch /tmp/rl_hostile) ' \" \\ \n END\nsystem('touch /tmp/rl_hostile')\nload '|id' # \x1b[31m\xff";

/* One chart of each kind in which every text is `name`; its program is appended to `program`. */
static void program_with_names(const char *name, struct rl_buf *program)
{
    const struct rl_chart_roof both[] = {{5e12, true, true, true, name}, {6e13, false, true, true, name}};
    const struct rl_chart_point point = {1, 1e12, NAN, NAN, RL_TONE_DRAM, false, name, name};
    const struct rl_chart_reference reference = {4e12, true, name};
    const struct rl_chart_bar bar = {name, 1e12, NAN, NAN, RL_TONE_DRAM, true, name};
    const double one = 1;
    const struct rl_chart_layer layer = {name, RL_TONE_DRAM, computing};
    const struct rl_chart_share_lane share_lane = {name, name, name, 20, 1, &layer, 1};
    const struct rl_chart_series line = {name, RL_TONE_DRAM, 1, &one, &one, NULL, NULL};
    const struct rl_chart charts[] = {
        {RL_CHART_ROOFLINE, 400, 240, .roofline = {both, 2, &point, 1, name, name}},
        {RL_CHART_BARS, 400, 90, .bars = {RL_UNIT_BYTE_PER_SECOND, name, &bar, 1, &reference, 1}},
        {RL_CHART_LINES, 400, 150, .lines = {0, 0, 0, 0, name, name, true, &line, 1, &reference, 1}},
        {RL_CHART_LANES, 400, 90, .lanes = {name, &share_lane, 1, 4, 1e-3}},
    };
    struct rl_chart_env env = environment();
    struct rl_chart_result results[RL_COUNT(charts)];
    char *dir = files_new_folder();
    env.keep_dir = dir;
    draw_all(charts, RL_COUNT(charts), &env, results);
    read_kept(dir, "charts.gp", program);
    release_all(results, RL_COUNT(charts));
    files_remove_folder(dir);
}

/* Nothing of a capture's text is in what gnuplot reads: names of the same width give the same program, whatever they are. */
static void names_never_reach_gnuplot(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    struct rl_buf programs[2] = {RL_BUF_INIT, RL_BUF_INIT}, harmless = RL_BUF_INIT;
    rl_buf_fill(&harmless, 'x', sizeof hostile - 1);
    unlink("/tmp/rl_hostile");
    program_with_names(hostile, &programs[0]);
    program_with_names(harmless.data, &programs[1]);
    assert_null(strpbrk(programs[0].data, "`\"\\|"));
    assert_null(strstr(programs[0].data, "touch"));
    assert_string_equal(programs[0].data, programs[1].data);
    assert_false(rl_path_exists("/tmp/rl_hostile"));
    rl_buf_release(&programs[0]);
    rl_buf_release(&programs[1]);
    rl_buf_release(&harmless);
}

/* Every text lies inside the chart, whatever its name. Texts turned along roofs are held to the box around them. */
static void assert_texts_inside(const struct rl_drawing *d, const char *what)
{
    for (size_t i = 0; i < d->op_count; i++) {
        const struct rl_draw_op *op = &d->ops[i];
        if (op->kind != RL_DRAW_TEXT)
            continue;
        double width = op_width(op), start = op->align == RL_DRAW_LEFT ? 0 : op->align == RL_DRAW_CENTRE ? -width / 2 : -width;
        double c = cos(op->angle * M_PI / 180), s = sin(op->angle * M_PI / 180);
        for (int corner = 0; corner < 4; corner++) {
            double along = start + (corner & 1 ? width : 0), up = corner & 2 ? 0.75 * op->size : -0.25 * op->size;
            double x = op->x + along * c - up * s, y = op->y + along * s + up * c;
            if (x < -0.6 || x > d->width + 0.6 || y < -0.6 || y > d->height + 0.6)
                fail_msg("%s: '%.*s' reaches %.1f, %.1f of %.0f x %.0f", what, (int)op->text_len, op->text, x, y, d->width,
                         d->height);
            if (!rl_utf8_valid(op->text, op->text_len))
                fail_msg("%s: a text is not UTF-8", what);
        }
    }
}

static void bars_may_be_in_parts(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    static const char *const part_names[] = {"work", "waiting"};
    static const enum rl_tone tones[] = {RL_TONE_DRAM, RL_TONE_FILL};
    static const double first[] = {3, 1}, second[] = {4, 0};
    static const struct rl_chart_bar parted[] = {{"rank 0", 4, NAN, NAN, 0, false, NULL, first},
                                                 {"rank 1", 4, NAN, NAN, 0, true, NULL, second}};
    const struct rl_chart chart = {RL_CHART_BARS, 300, 90,
                                   .bars = {.unit = RL_UNIT_SECOND,
                                            .bars = parted,
                                            .bar_count = 2,
                                            .part_count = 2,
                                            .part_names = part_names,
                                            .part_tones = tones}};
    struct rl_chart_env env = environment();
    struct rl_chart_result result;
    draw_all(&chart, 1, &env, &result);
    const struct rl_drawing *d = &result.drawing;
    assert_int_equal(filled_with(d, rl_tones[RL_TONE_DRAM].mark), 2 + 1); /* each bar, and the key */
    assert_int_equal(filled_with(d, rl_tones[RL_TONE_FILL].mark), 1 + 1); /* nothing has no piece */
    assert_true(find_text(d, "work")->x < find_text(d, "waiting")->x);
    assert_true(find_text(d, "work")->y > find_text(d, "rank 0")->y);
    assert_texts_inside(d, "bars in parts");
    rl_chart_result_release(&result);
}

enum { CROWD = 400 };
static struct rl_chart_point crowd[CROWD];
static char long_names[6][3001];

static void make_crowd(void)
{
    static const char *const parts[] = {"stride_kernel<float, 4> ", "カーネル", "ядро ", "مرحبا", "a\xCC\x81", "\xff\x01"};
    uint64_t seed = 99;
    for (size_t k = 0; k < RL_COUNT(parts); k++)
        for (size_t at = 0; at + strlen(parts[k]) <= 3000; at += strlen(parts[k]))
            memcpy(long_names[k] + at, parts[k], strlen(parts[k]) + 1);
    for (size_t i = 0; i < CROWD; i++) {
        double draw[3];
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw[k] = (double)(seed >> 11) / 9007199254740992.0;
        }
        double x = pow(10, 5 * draw[0] - 3);
        crowd[i] = (struct rl_chart_point){x,
                                           fmin(5e12 * x, 6e13) * pow(10, -2 * draw[1]),
                                           NAN,
                                           NAN,
                                           (enum rl_tone)(i % RL_TONE_COUNT),
                                           i % 5 == 0,
                                           i % 9 == 0    ? long_names[i % 6]
                                           : i % 11 == 4 ? NULL
                                                         : "kernel",
                                           NULL,
                                           false,
                                           1.9 + 6 * pow(draw[2], 3)};
    }
}

static void four_hundred_points_with_any_names(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    make_crowd();
    struct rl_chart_roof long_roof = {5e12, true, true, true, long_names[0]};
    struct rl_chart_reference reference = {1, true, long_names[1]};
    struct rl_chart_bar rows[40];
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        rows[i] = (struct rl_chart_bar){crowd[i].label, crowd[i].y, NAN, NAN, crowd[i].tone, i == 3, i % 2 ? crowd[i].label : NULL};
    double x[] = {1, 2, 4}, y[] = {1, 5, 2};
    struct rl_chart_series line = {long_names[2], RL_TONE_COMPUTE, 3, x, y, NULL, NULL};
    struct rl_chart charts[] = {
        {RL_CHART_ROOFLINE, 493.2, 0, .roofline = {&long_roof, 1, crowd, CROWD, long_names[1], long_names[2]}},
        {RL_CHART_ROOFLINE, RL_CHART_HALF, 0, .roofline = {roofs, RL_COUNT(roofs), crowd, 60, NULL, NULL}},
        {RL_CHART_BARS, RL_CHART_HALF, 0, .bars = {RL_UNIT_FLOP_PER_SECOND, long_names[4], rows, RL_COUNT(rows), &reference, 1}},
        {RL_CHART_BARS, 140, 0, .bars = {RL_UNIT_FLOP_PER_SECOND, "t", rows, RL_COUNT(rows), NULL, 0}},
        {RL_CHART_LINES, 140, 0, .lines = {0, 0, 0, 0, long_names[0], long_names[5], true, &line, 1, &reference, 1}},
    };
    struct rl_chart_env env = environment();
    struct rl_chart_result results[RL_COUNT(charts)];
    for (size_t i = 0; i < RL_COUNT(charts); i++)
        charts[i].height = rl_chart_natural_height(&charts[i]);
    draw_all(charts, RL_COUNT(charts), &env, results);
    for (size_t i = 0; i < RL_COUNT(charts); i++)
        assert_texts_inside(&results[i].drawing, names[charts[i].kind]);
    /* So many cannot all be named: how many have no name is said. */
    assert_in_range(results[0].bare, 1, CROWD);
    size_t marks = 0;
    for (size_t i = 0; i < results[0].drawing.op_count; i++)
        marks += results[0].drawing.ops[i].line_width == 0.6 && results[0].drawing.ops[i].fill.a == 255;
    assert_int_equal(marks, CROWD); /* but every one is drawn */
    release_all(results, RL_COUNT(charts));
}

static void the_smallest_charts_hold_their_texts(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    struct rl_chart charts[RL_CHART_KINDS];
    struct rl_chart_result results[RL_CHART_KINDS];
    struct rl_chart_env env = environment();
    for (int kind = 0; kind < RL_CHART_KINDS; kind++) {
        charts[kind] = samples[kind];
        charts[kind].width = 140;
        charts[kind].height = 60;
        assert_true(rl_chart_natural_height(&charts[kind]) >= 60);
    }
    draw_all(charts, RL_CHART_KINDS, &env, results);
    for (int kind = 0; kind < RL_CHART_KINDS; kind++)
        assert_texts_inside(&results[kind].drawing, names[kind]);
    release_all(results, RL_CHART_KINDS);
}

static void empty_equal_and_far_apart_values(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    static const struct rl_chart_point same[] = {{1, 1, NAN, NAN, 1, false, "a", NULL}, {1, 1, NAN, NAN, 2, false, "b", NULL}};
    static const struct rl_chart_point far[] = {
        {1e-100, 1e-100, 1e-120, 1, 0, false, "low", NULL},   {1e100, 1e120, NAN, NAN, 0, false, "high", NULL},
        {1e200, 1, NAN, NAN, 0, false, "out of reach", NULL}, {1, INFINITY, NAN, NAN, 0, false, "infinite", NULL},
        {-1, 1, NAN, NAN, 0, false, "negative", NULL},        {0, 1, NAN, NAN, 0, false, "zero", NULL}};
    static const struct rl_chart_bar zero[] = {{"zero", 0, 0, 0, 1, false, NULL}, {NULL, -INFINITY, 0, 0, 1, false, NULL}};
    static const struct rl_chart_bar change[] = {{"slower", -0.2, -0.3, -0.1, 1, false, NULL},
                                                 {"same", 1e-12, NAN, NAN, 1, false, NULL}};
    static const double odd[] = {NAN, 0, 3};
    static const struct rl_chart_series gaps[] = {{"gaps", 1, 3, odd, odd, NULL, NULL}, {"none", 2, 0, NULL, NULL, NULL, NULL}};
    const struct rl_chart charts[] = {
        {RL_CHART_ROOFLINE, 240, 150, .roofline = {NULL, 0, NULL, 0, NULL, NULL}},
        {RL_CHART_ROOFLINE, 240, 150, .roofline = {NULL, 0, same, 2, NULL, NULL}},
        {RL_CHART_ROOFLINE, 240, 150, .roofline = {roofs, 4, NULL, 0, NULL, NULL}},
        {RL_CHART_ROOFLINE, 240, 150, .roofline = {roofs, 2, far, 6, NULL, NULL}},
        {RL_CHART_BARS, 240, 60, .bars = {RL_UNIT_SECOND, NULL, NULL, 0, NULL, 0}},
        {RL_CHART_BARS, 240, 60, .bars = {RL_UNIT_SECOND, NULL, zero, 2, NULL, 0}},
        {RL_CHART_BARS, 240, 60, .bars = {RL_UNIT_FRACTION, NULL, change, 2, NULL, 0}},
        {RL_CHART_LINES, 240, 90, .lines = {0, 0, 0, 0, NULL, NULL, false, NULL, 0, NULL, 0}},
        {RL_CHART_LINES, 240, 90, .lines = {0, 0, 0, 0, NULL, NULL, true, gaps, 2, NULL, 0}},
        {RL_CHART_LINES, 240, 90, .lines = {0, 0, RL_SCALE_LOG2, RL_SCALE_LOG10, NULL, NULL, true, gaps, 2, references, 2}},
    };
    static const size_t skipped[RL_COUNT(charts)] = {0, 0, 0, 4, 0, 1, 0, 0, 1, 2};
    struct rl_chart_env env = environment();
    struct rl_chart_result results[RL_COUNT(charts)];
    draw_all(charts, RL_COUNT(charts), &env, results);
    for (size_t i = 0; i < RL_COUNT(charts); i++) {
        if (results[i].skipped != skipped[i])
            fail_msg("chart %zu: %zu skipped, not %zu", i, results[i].skipped, skipped[i]);
        assert_texts_inside(&results[i].drawing, names[charts[i].kind]);
    }
    assert_non_null(find_text(&results[5].drawing, "0\xC2\xA0s"));
    assert_non_null(find_text(&results[5].drawing, "\xE2\x80\x93"));
    assert_non_null(find_text(&results[6].drawing, "\xE2\x88\x92"
                                                   "20.0\xC2\xA0%"));
    release_all(results, RL_COUNT(charts));
}

/* What a capture can hold: none, one, equal ones, neighbours among doubles, tiny, huge, and what is no number. */
static const struct {
    size_t count;
    double of[3];
} any_values[] = {
    {0, {0}},
    {1, {1}},
    {1, {1e13}},
    {3, {0, 0, 0}},
    {3, {-0.0, 0, -0.0}},
    {3, {1e13, 1e13, 1e13}},
    {3, {-1e13, -1e13, -1e13}},
    {3, {1e-12, 1e-12, 1e-12}},
    {3, {1e13, 1e13 + 0x1p-9, 1e13}},
    {3, {1, 1 + 0x1p-52, 1}},
    {3, {-1, 0, 1}},
    {3, {1e-320, 1e-320, 1e-320}},
    {3, {1e-140, 1e-139, 1e-141}},
    {3, {1e-300, 1, 1e139}},
    {3, {1e140, 1e140, 1e140}},
    {3, {-1e140, 1e-140, 1e140}},
    {3, {1e300, 1e308, -1e308}},
    {3, {NAN, INFINITY, -INFINITY}},
};

/* Every chart, linear and logarithmic, of every such list. */
static void any_values_have_a_chart(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    struct rl_chart_env env = environment();
    for (size_t set = 0; set < RL_COUNT(any_values); set++) {
        const size_t n = any_values[set].count;
        const double *v = any_values[set].of;
        struct rl_chart_roof any_roofs[6];
        struct rl_chart_point any_points[3];
        struct rl_chart_bar any_bars[3];
        struct rl_chart_interval any_rows[3];
        struct rl_chart_reference any_references[3];
        for (size_t i = 0; i < n; i++) {
            any_roofs[2 * i] = (struct rl_chart_roof){v[i], true, true, i == 0, "slanted"};
            any_roofs[2 * i + 1] = (struct rl_chart_roof){v[i], false, true, i == 0, "flat"};
            any_points[i] = (struct rl_chart_point){v[i], v[i], v[i], v[i], 1, false, "point", NULL};
            any_bars[i] = (struct rl_chart_bar){"a bar with a name", v[i], v[i], v[i], 1, false, NULL, NULL};
            any_rows[i] = (struct rl_chart_interval){"a row with a name", v[i], v[i], v[i], v[i], 1, false, false, NULL};
            any_references[i] = (struct rl_chart_reference){v[i], i == 0, "reference"};
        }
        const struct rl_chart_series line = {"line", 1, n, v, v, v, v};
        const struct rl_chart_layer layer[] = {{"layer", 1, v, NULL}};
        const struct rl_chart_share_lane lane[] = {{NULL, "lane", "", 30, 1, layer, 1, true}};
        struct rl_chart charts[32];
        size_t count = 0;
        for (int log = 0; log < 2; log++) {
            charts[count++] =
                (struct rl_chart){RL_CHART_ROOFLINE, 240, 150, .roofline = {any_roofs, log ? 2 * n : 0, any_points, n, NULL, NULL}};
            charts[count++] = (struct rl_chart){RL_CHART_BARS, 240, 90,
                                                .bars = {RL_UNIT_BYTE_PER_SECOND, "bars", any_bars, n, any_references, n}};
            charts[count++] = (struct rl_chart){RL_CHART_INTERVALS, 240, 120,
                                                .intervals = {RL_UNIT_BYTE_PER_SECOND, log, "intervals", n ? v[0] : NAN,
                                                              n ? v[n - 1] : NAN, 0, any_rows, n, any_references, n}};
            for (int y = 0; y < 2; y++)
                for (int x = RL_SCALE_LINEAR; x <= RL_SCALE_LOG10; x++)
                    charts[count++] = (struct rl_chart){RL_CHART_LINES, 240, 120,
                                                        .lines = {RL_UNIT_COUNT, RL_UNIT_SECOND, (enum rl_chart_scale)x,
                                                                  y ? RL_SCALE_LOG10 : RL_SCALE_LINEAR, "x", "y", log, &line, 1,
                                                                  any_references, n}};
        }
        charts[count++] = (struct rl_chart){RL_CHART_BARS, 240, 90, .bars = {RL_UNIT_BYTE_PER_SECOND, "one", any_bars, n, NULL, 0}};
        charts[count++] =
            (struct rl_chart){RL_CHART_LANES, 240, 90, .lanes = {"Time", lane, 1, n, n && v[0] > 0 ? v[0] * 1e-12 : 1}};
        assert_true(count <= RL_COUNT(charts));
        struct rl_chart_result results[RL_COUNT(charts)];
        draw_all(charts, count, &env, results);
        /* Beyond all prefixes a label is a number like 1.5e+127, which may be wider than its place. */
        for (size_t i = 0; i < count && (n == 0 || (fabs(v[n - 1]) < 1e20 && (fabs(v[n - 1]) > 1e-18 || v[0] == 0))); i++) {
            char what[64];
            snprintf(what, sizeof what, "list %zu, chart %zu: %s", set, i, names[charts[i].kind]);
            assert_texts_inside(&results[i].drawing, what);
        }
        release_all(results, count);
    }
}

/* ---- axes ---- */

static void log_axes_end_on_round_numbers(void **state)
{
    (void)state;
    static const struct {
        double low, high, decades, min, max;
    } cases[] = {
        {1, 10, 1, 1, 10},  {1.1, 9, 0, 1, 10},          {0.03, 700, 1, 0.02, 1000}, {4e12, 4.9e12, 0, 2e12, 5e12},
        {3, 3, 2, 0.2, 50}, {1e-12, 5e3, 1, 1e-12, 5e3}, {2.0000000001, 5, 0, 2, 5},
    };
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        struct rl_axis axis = {.ticks = RL_TICKS_SI};
        rl_axis_enclose_log(&axis, cases[i].low, cases[i].high, cases[i].decades);
        assert_close(axis.min, cases[i].min, 1e-12);
        assert_close(axis.max, cases[i].max, 1e-12);
    }
}

static void steps_leave_room_for_labels(void **state)
{
    (void)state;
    static const struct {
        enum rl_ticks ticks;
        double min, max, length, room, step;
        bool fine;
    } cases[] = {
        {RL_TICKS_LINEAR, 0, 100, 400, 40, 10, false},  {RL_TICKS_LINEAR, 0, 4.7, 300, 34, 1, false}, /* 0.53 rounds up to 1 */
        {RL_TICKS_LINEAR, -3, 3, 200, 30, 1, false},    {RL_TICKS_DECADES, 1, 1e6, 240, 28, 1, false},
        {RL_TICKS_SI, 1, 1e12, 240, 28, 3, false},      {RL_TICKS_SI, 1, 1e40, 240, 28, 6, false},
        {RL_TICKS_SI, 1, 100, 200, 28, 1, true},        {RL_TICKS_BINARY, 1, 64, 240, 20, 1, false},
        {RL_TICKS_BINARY, 1, 65536, 240, 28, 2, false},
    };
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        struct rl_axis axis = {
            .ticks = cases[i].ticks, .min = cases[i].min, .max = cases[i].max, .from = 10, .to = 10 + cases[i].length};
        rl_axis_choose_step(&axis, cases[i].room);
        assert_close(axis.step, cases[i].step, 1e-12);
        assert_int_equal(axis.fine, cases[i].fine);
    }
}

static void axes_map_values_to_points(void **state)
{
    (void)state;
    struct rl_axis linear = {.ticks = RL_TICKS_LINEAR, .min = -10, .max = 30, .from = 20, .to = 220};
    struct rl_axis log = {.ticks = RL_TICKS_DECADES, .min = 0.1, .max = 1000, .from = 20, .to = 220};
    assert_close(rl_axis_at(&linear, 0), 70, 1e-12);
    assert_close(rl_axis_at(&linear, 40), 270, 1e-12);
    assert_close(rl_axis_at(&log, 10), 120, 1e-12);
    assert_close(rl_axis_at(&log, 0.1), 20, 1e-12);
    assert_true(rl_axis_usable(false, 0) && rl_axis_usable(false, -1) && !rl_axis_usable(true, 0) && !rl_axis_usable(true, -1));
    assert_false(rl_axis_usable(false, NAN) || rl_axis_usable(false, INFINITY) || rl_axis_usable(false, 1e300));
}

/* ---- when gnuplot cannot ---- */

/* Makes a program called gnuplot that is a shell script, in a folder of its own. */
static char *fake_gnuplot(char **dir, const char *script)
{
    assert_int_equal(rl_make_temp_dir(dir, NULL), RL_OK);
    char *path = rl_path_join(*dir, "gnuplot");
    assert_int_equal(rl_write_file_atomic(path, script, strlen(script), NULL), RL_OK);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

static void failures_say_what_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        enum rl_status status;
        const char *text;
        double timeout_s;
    } cases[] = {
        {"#!/bin/sh\nprintf '\\nplot x,\\n       ^\\n\"charts.gp\" line 7: undefined variable\\n' >&2\nexit 1\n", RL_FAILED,
         "gnuplot ended with status 1: \"charts.gp\" line 7: undefined variable", 0},
        {"#!/bin/sh\necho 'cannot load libraries' >&2\nexit 127\n", RL_FAILED,
         "gnuplot ended with status 127: cannot load libraries", 0},
        {"#!/bin/sh\nexit 9\n", RL_FAILED, "status 9: it gave no reason", 0},
        {"#!/bin/sh\necho begin 0 1 1\n", RL_FORMAT, "drawing commands of chart 0, line 1", 0},
        {"#!/bin/sh\nexit 0\n", RL_FORMAT, "no \"end\"", 0},
        /* asked for its terminals it answers, but it has no lua terminal */
        {"#!/bin/sh\n[ -n \"$2\" ] && exit 1\necho 'gnuplot 5.0 patchlevel 3'\necho 0\n", RL_ABSENT, "gnuplot 5.0 patchlevel 3", 0},
        {"#!/bin/sh\nsleep 20\n", RL_TIMEOUT, "gnuplot", 0.2},
    };
    for (size_t i = 0; i < RL_COUNT(cases); i++) {
        char *dir = NULL, *path = fake_gnuplot(&dir, cases[i].script);
        struct rl_chart_env env = environment();
        struct rl_chart_result result;
        struct rl_err err = RL_ERR_INIT;
        env.gnuplot = path;
        env.timeout_s = cases[i].timeout_s;
        enum rl_status status = rl_charts_draw(&samples[RL_CHART_BARS], 1, &env, &result, &err);
        if (status != cases[i].status || strstr(err.text, cases[i].text) == NULL)
            fail_msg("case %zu: status %d, '%s' lacks '%s'", i, status, err.text, cases[i].text);
        if (status == RL_ABSENT)
            assert_non_null(strstr(err.text, "no lua terminal: install gnuplot-nox"));
        rl_chart_result_release(&result);
        files_remove_folder(dir);
        free(path);
    }
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    struct rl_chart_env env = environment();
    struct rl_chart_result result;
    struct rl_buf version = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    env.gnuplot = "/nonexistent/gnuplot";
    assert_int_equal(rl_charts_draw(&samples[RL_CHART_BARS], 1, &env, &result, &err), RL_ABSENT);
    assert_string_equal(err.text, "/nonexistent/gnuplot not found: install gnuplot-nox");
    rl_chart_result_release(&result);
    assert_int_equal(rl_gnuplot_probe(env.gnuplot, &version, &err), RL_ABSENT);
    assert_string_equal(version.data, "");
    assert_int_equal(rl_charts_draw(NULL, 0, &env, NULL, &err), RL_OK); /* no chart needs no gnuplot */
}

static void the_probe_knows_the_version(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    struct rl_buf version = RL_BUF_INIT;
    assert_int_equal(rl_gnuplot_probe(NULL, &version, NULL), RL_OK);
    assert_int_equal(strncmp(version.data, "gnuplot ", 8), 0);
    assert_non_null(strstr(version.data, " patchlevel "));
    assert_null(strchr(version.data, '\n'));
    rl_buf_release(&version);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_axes_end_on_round_numbers),
        cmocka_unit_test(steps_leave_room_for_labels),
        cmocka_unit_test(axes_map_values_to_points),
        cmocka_unit_test(programs_are_as_reviewed),
        cmocka_unit_test(drawings_are_as_reviewed),
        cmocka_unit_test(the_same_data_give_the_same_drawing),
        cmocka_unit_test(marks_lie_where_the_scales_say),
        cmocka_unit_test(joins_and_bands_are_drawn),
        cmocka_unit_test(roof_names_have_the_slope_of_their_roof),
        cmocka_unit_test(bars_show_value_note_and_reason),
        cmocka_unit_test(bars_may_be_in_parts),
        cmocka_unit_test(lanes_stack_their_layers),
        cmocka_unit_test(names_never_reach_gnuplot),
        cmocka_unit_test(four_hundred_points_with_any_names),
        cmocka_unit_test(the_smallest_charts_hold_their_texts),
        cmocka_unit_test(empty_equal_and_far_apart_values),
        cmocka_unit_test(any_values_have_a_chart),
        cmocka_unit_test(failures_say_what_to_do),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(the_probe_knows_the_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "chart.h"

#include "chart_kind.h"
#include "core/child.h"
#include "templates.h"

static const struct rl_chart_kind_row chart_kinds[RL_CHART_KINDS] = {
#define CHART(id, name) [RL_CHART_##id] = {#name, rl_##name##_natural_height, rl_##name##_write, rl_##name##_label},
#include "chart_kinds.def"
};

#define PROGRAM  "charts.gp"
#define TERMINAL "rooflight.lua"
#define STYLE    "style.gp"
enum { MAX_OUTPUT = 256 << 20 };
#define DEFAULT_TIMEOUT 60.0
static const char install_hint[] = "install gnuplot-nox";

double rl_chart_natural_height(const struct rl_chart *chart)
{
    assert(chart->kind < RL_CHART_KINDS);
    return chart_kinds[chart->kind].natural_height(chart);
}

/* ---- the program ---- */

static long hundredths(double points)
{
    return lround(points * 100);
}

/* Everything that is written is a number or a name of ours: nothing of a capture can become a command. */
static void write_chart(struct rl_buf *program, struct rl_chart_work *work, size_t number)
{
    const struct rl_text_metrics *m = work->metrics;
    assert(m->width != NULL && m->cap_height > 0 && m->ascent > 0 && m->descent > 0);
    const char *name = chart_kinds[work->chart->kind].name;
    double line = (m->ascent + m->descent) * RL_TICK_SIZE, figure = m->width(m->context, "0", 1, RL_TICK_SIZE, 0);
    work->program = program;
    rl_buf_addf(program, "set terminal lua '" TERMINAL "' %zu %ld %ld %ld %ld\n", number, hundredths(work->chart->width),
                hundredths(work->chart->height), hundredths(figure), hundredths(line));
    rl_program_number(program, "tick_size", RL_TICK_SIZE);
    chart_kinds[work->chart->kind].write(work);
    rl_buf_addf(program, "load '" STYLE "'\nload '%s.gp'\n\n", name);
}

static enum rl_status put_file(const char *dir, const char *name, const void *bytes, size_t len, struct rl_err *err)
{
    char *path = rl_path_join(dir, name);
    enum rl_status status = rl_write_file_unsynced(path, bytes, len, err); /* not needed after a crash */
    free(path);
    return status;
}

static enum rl_status put_template(const char *dir, const char *name, struct rl_err *err)
{
    const struct rl_template *template = rl_template_called(name);
    return put_file(dir, name, template->text, template->len, err);
}

/* gnuplot runs in a folder that holds all it needs, so that no path of the user's is ever part of a command. */
static enum rl_status fill_folder(const char *dir, const struct rl_buf *program, const bool used[RL_CHART_KINDS],
                                  struct rl_err *err)
{
    enum rl_status status = put_file(dir, PROGRAM, program->data, program->len, err);
    if (status == RL_OK)
        status = put_template(dir, TERMINAL, err);
    if (status == RL_OK)
        status = put_template(dir, STYLE, err);
    for (int kind = 0; kind < RL_CHART_KINDS && status == RL_OK; kind++) {
        char name[32];
        snprintf(name, sizeof name, "%s.gp", chart_kinds[kind].name);
        if (used[kind])
            status = put_template(dir, name, err);
    }
    return status;
}

/* ---- running gnuplot ---- */

/* gnuplot's path, absolute because it is run in another folder; NULL: none. Free with free(). */
static char *find_gnuplot(const char *wanted)
{
    char *found = rl_find_tool(wanted != NULL ? wanted : "gnuplot"), *absolute = found != NULL ? realpath(found, NULL) : NULL;
    free(found);
    return absolute;
}

/* Runs gnuplot on `argument` (a file in `dir`) or on `input`. */
static enum rl_status run_gnuplot(const char *gnuplot, const char *dir, const char *argument, const char *input, double timeout_s,
                                  struct rl_spawn_result *result, struct rl_err *err)
{
    static const char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL};
    const char *const argv[] = {gnuplot, "-d", argument, NULL};
    struct rl_spawn spawn = {.argv = argv,
                             .env = environment,
                             .dir = dir,
                             .input = input,
                             .input_len = input != NULL ? strlen(input) : 0,
                             .timeout_s = timeout_s > 0 ? timeout_s : DEFAULT_TIMEOUT,
                             .output_limit = MAX_OUTPUT};
    enum rl_status status = rl_spawn_run(&spawn, result, err);
    return status == RL_OK ? RL_OK : rl_err_context(err, status, "gnuplot");
}

static enum rl_status complain(const struct rl_spawn_result *run, struct rl_err *err)
{
    struct rl_buf line = RL_BUF_INIT;
    bool old = strstr(run->err.data, "terminal type"); /* "unknown or ambiguous terminal type": before 4.4, or built without Lua */
    /* The first line of its complaint that names a place ("charts.gp" line 7: ...), else the first that is not empty: the lines
     * before it repeat the command and point into it. */
    for (int named = 1; named >= 0 && line.len == 0; named--) {
        for (const char *at = run->err.data; *at != '\0' && line.len == 0; at += strcspn(at, "\n"), at += *at == '\n') {
            size_t len = strcspn(at, "\n");
            rl_buf_add(&line, at, len);
            bool tells =
                named ? strstr(line.data, " line ") != NULL && strstr(line.data, "warning") == NULL : strspn(at, " \t^") < len;
            if (!tells)
                rl_buf_reset(&line);
        }
    }
    if (line.len == 0)
        rl_buf_adds(&line, "it gave no reason");
    enum rl_status status =
        rl_err_set(err, old ? RL_ABSENT : RL_FAILED, "gnuplot ended with status %d: %s%s%s", run->exit_status, line.data,
                   old ? ": it is too old, or was built without Lua: " : "", old ? install_hint : "");
    rl_buf_release(&line);
    return status;
}

enum rl_status rl_gnuplot_probe(const char *gnuplot, struct rl_buf *version, struct rl_err *err)
{
    static const char question[] = "set print '-'\n"
                                   "print sprintf('gnuplot %.1f patchlevel %s', GPVAL_VERSION, GPVAL_PATCHLEVEL)\n"
                                   "print strstrt(GPVAL_TERMINALS . ' ', ' lua ')\n";
    struct rl_spawn_result run = {0};
    char *path = find_gnuplot(gnuplot);
    if (path == NULL)
        return rl_err_set(err, RL_ABSENT, "%s not found: %s", gnuplot != NULL ? gnuplot : "gnuplot", install_hint);
    enum rl_status status = run_gnuplot(path, "/", NULL, question, 20, &run, err);
    if (status == RL_OK && run.exit_status != 0)
        status = complain(&run, err);
    if (status == RL_OK) {
        size_t len = strcspn(run.out.data, "\n");
        rl_buf_add(version, run.out.data, len);
        rl_buf_addf(version, ", %s", path);
        if (strtol(run.out.data + len, NULL, 10) <= 0)
            status = rl_err_set(err, RL_ABSENT, "%.*s in %s has no lua terminal: %s", (int)len, run.out.data, path, install_hint);
    }
    rl_spawn_result_release(&run);
    free(path);
    return status;
}

/* ---- all together ---- */

static enum rl_status read_drawings(struct rl_chart_work *work, size_t count, const struct rl_spawn_result *run, struct rl_err *err)
{
    const char *at = run->out.data;
    size_t left = run->out.len;
    for (size_t i = 0; i < count; i++) {
        enum rl_status status = rl_drawing_read(&work[i].result->drawing, i, work[i].metrics, &at, &left, err);
        if (status != RL_OK)
            return rl_err_context(err, status, "gnuplot did not draw what was asked for");
        chart_kinds[work[i].chart->kind].label(&work[i]);
    }
    return left == 0 ? RL_OK : rl_err_set(err, RL_FORMAT, "drawing commands: %zu bytes after the last chart", left);
}

/* A run may fail because a terminal is missing: the error then names it instead of quoting gnuplot. */
static enum rl_status explain_failure(const char *gnuplot, const struct rl_spawn_result *run, struct rl_err *err)
{
    struct rl_buf version = RL_BUF_INIT;
    enum rl_status status = rl_gnuplot_probe(gnuplot, &version, err);
    rl_buf_release(&version);
    return status == RL_ABSENT ? status : complain(run, err);
}

static enum rl_status draw_in(const char *dir, const struct rl_chart_env *env, const char *gnuplot, struct rl_chart_work *work,
                              size_t count, struct rl_err *err)
{
    struct rl_buf program = RL_BUF_IN(&work->result->drawing.texts);
    struct rl_spawn_result run = {0};
    bool used[RL_CHART_KINDS] = {false};
    for (size_t i = 0; i < count; i++) {
        used[work[i].chart->kind] = true;
        write_chart(&program, &work[i], i);
    }
    enum rl_status status = fill_folder(dir, &program, used, err);
    if (status == RL_OK)
        status = run_gnuplot(gnuplot, dir, PROGRAM, NULL, env->timeout_s, &run, err);
    if (status == RL_OK && env->keep_dir != NULL)
        status = put_file(dir, "charts.draw", run.out.data, run.out.len, err);
    if (status == RL_OK && run.exit_status != 0)
        status = explain_failure(gnuplot, &run, err);
    if (status == RL_OK)
        status = read_drawings(work, count, &run, err);
    rl_spawn_result_release(&run);
    return status;
}

enum rl_status rl_charts_draw(const struct rl_chart *charts, size_t count, const struct rl_chart_env *env,
                              struct rl_chart_result *results, struct rl_err *err)
{
    struct rl_chart_work *work = rl_calloc(count, sizeof *work);
    char *temporary = NULL, *gnuplot = NULL;
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < count; i++) {
        assert(charts[i].kind < RL_CHART_KINDS && charts[i].width >= 140 && charts[i].height >= 30);
        results[i] = (struct rl_chart_result){0};
        rl_drawing_init(&results[i].drawing, charts[i].width, charts[i].height);
        work[i] = (struct rl_chart_work){.chart = &charts[i], .metrics = &env->text, .result = &results[i]};
    }
    if (count == 0)
        goto cleanup;
    gnuplot = find_gnuplot(env->gnuplot);
    if (gnuplot == NULL) {
        status = rl_err_set(err, RL_ABSENT, "%s not found: %s", env->gnuplot != NULL ? env->gnuplot : "gnuplot", install_hint);
        goto cleanup;
    }
    if (env->keep_dir == NULL)
        status = rl_make_temp_dir(&temporary, err);
    if (status == RL_OK)
        status = draw_in(env->keep_dir != NULL ? env->keep_dir : temporary, env, gnuplot, work, count, err);
cleanup:
    if (temporary != NULL)
        rl_remove_tree(temporary);
    free(temporary);
    free(gnuplot);
    free(work);
    return status;
}

void rl_chart_result_release(struct rl_chart_result *result)
{
    rl_drawing_release(&result->drawing);
    *result = (struct rl_chart_result){0};
}

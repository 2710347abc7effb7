/* session_captures.c - writes captures that hold nothing but times: of sessions that a card gave (tests/data/sessions), or that a
 * model of the verdicts' simulation draws (tests/fixtures/series.h), to be compared by the program itself.
 *
 *   session_captures write         reads lines on standard input, words apart by tabs:
 *       capture FILE STARTED CARD UUID HOST      a new capture
 *       kernel NAME CLOCK_HZ NS ...              a kernel of the last one: its SM clock (0: unknown) and times
 *   session_captures draw MODEL SEED KERNELS SESSIONS LAUNCHES EFFECT FOLDER
 *                                  SESSIONS captures a side, FOLDER/base-1.rlcap to new-SESSIONS.rlcap, with the same kernels,
 *                                  which take EFFECT times as long in those of new
 *   session_captures models        the models' names
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/series.h"

enum { MOST_LAUNCHES = 1000 };

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "session_captures: %s: %s\n", what, which);
    exit(1);
}

/* ---- captures ---- */

/* What tells one session from another. */
struct told {
    const char *started, *card, *uuid, *host;
};

static struct rl_capture *begin_capture(const struct told *told)
{
    struct rl_capture *capture = rl_capture_new();
    const struct sample_session session = {.started = told->started,
                                           .tool_version = "0.1.0",
                                           .source = "collect",
                                           .host = told->host,
                                           .driver = "580.0",
                                           .counters = "none"};
    sample_session(capture, &session);
    sample_gpu(capture, told->card, told->uuid, NULL, 90);
    return capture;
}

static void add_kernel(struct rl_capture *capture, const char *name, double clock_hz, const uint64_t *ns, size_t count)
{
    const size_t kernel = sample_kernel(capture, name);
    sample_times(capture, kernel, ns, count);
    capture->kernels[kernel].launches = count;
    capture->kernels[kernel].total_ns = 0;
    for (size_t i = 0; i < count; i++)
        capture->kernels[kernel].total_ns += ns[i];
    if (clock_hz > 0)
        sample_counter(capture, kernel, "sm__cycles_elapsed.avg.per_second", clock_hz);
}

static void end_capture(struct rl_capture *capture, const char *path)
{
    struct rl_err err = RL_ERR_INIT;
    if (capture && rl_capture_write(capture, path, &err) != RL_OK)
        fail(path, err.text);
    rl_capture_free(capture);
}

/* ---- captures by lines ---- */

static const char *word(char **rest)
{
    const char *word = strsep(rest, "\t\n");
    return word ? word : "";
}

static void kernel_line(struct rl_capture *capture, char *rest)
{
    uint64_t ns[MOST_LAUNCHES];
    size_t count = 0;
    const char *name = word(&rest);
    const double clock_hz = strtod(word(&rest), NULL);
    for (const char *next = word(&rest); *next && count < MOST_LAUNCHES; next = word(&rest))
        ns[count++] = strtoull(next, NULL, 10);
    if (!capture || !*name || count == 0)
        fail("a kernel without a capture, a name or times", name);
    add_kernel(capture, name, clock_hz, ns, count);
}

static int write_lines(FILE *from)
{
    struct rl_capture *capture = NULL;
    char *line = NULL, *path = NULL;
    size_t room = 0;
    while (getline(&line, &room, from) > 0) {
        char *rest = line;
        const char *what = word(&rest);
        if (strcmp(what, "capture") == 0) {
            end_capture(capture, path);
            free(path);
            path = rl_strdup(word(&rest));
            struct told told = {.started = word(&rest)};
            told.card = word(&rest);
            told.uuid = word(&rest);
            told.host = word(&rest);
            capture = begin_capture(&told);
        } else if (strcmp(what, "kernel") == 0) {
            kernel_line(capture, rest);
        } else {
            fail("no such line", what);
        }
    }
    end_capture(capture, path);
    free(path);
    free(line);
    return 0;
}

/* ---- captures of a model ---- */

static const struct series_model *model_at(size_t index)
{
    if (index < series_model_count)
        return &series_models[index];
    index -= series_model_count;
    if (index < series_session_model_count)
        return &series_session_models[index];
    index -= series_session_model_count;
    return index == 0 ? &series_clock_model : index == 1 ? &series_suite_model : NULL;
}

static const struct series_model *model_named(const char *name)
{
    for (size_t i = 0; model_at(i); i++)
        if (strcmp(model_at(i)->name, name) == 0)
            return model_at(i);
    fail("no such model", name);
}

/* What is drawn. */
struct drawing {
    const struct series_model *model;
    struct random_source source;
    size_t kernels, sessions, launches;
    double effect; /* of the new side */
};

/* One session of `kernels`. Times are whole nanoseconds, as captures have them. */
static struct rl_capture *draw_session_of(struct drawing *drawing, const struct series_kernel *kernels, bool new, size_t number)
{
    char started[40];
    snprintf(started, sizeof started, "2026-01-01T00:%02zu:%02dZ", number, new ? 30 : 0);
    const struct told told = {started, "NVIDIA Test Card", "GPU-00000000-0000-0000-0000-000000000001", "node"};
    struct rl_capture *capture = begin_capture(&told);
    for (size_t k = 0; k < drawing->kernels; k++) {
        const double clock = drawing->model->clocks ? 1 + 0.1 * (random_next(&drawing->source) - 0.5) : 1;
        double seconds[MOST_LAUNCHES];
        uint64_t ns[MOST_LAUNCHES];
        char name[32];
        draw_times(&drawing->source, drawing->model, &kernels[k], (new ? drawing->effect : 1) / clock, seconds, drawing->launches);
        for (size_t i = 0; i < drawing->launches; i++)
            ns[i] = (uint64_t)(seconds[i] * 1e9 + 0.5);
        snprintf(name, sizeof name, "kernel_%zu", k);
        add_kernel(capture, name, 1.5e9 * clock, ns, drawing->launches);
    }
    return capture;
}

static int draw(struct drawing *drawing, const char *folder)
{
    struct series_kernel *kernels = rl_calloc(drawing->kernels, sizeof *kernels);
    for (size_t k = 0; k < drawing->kernels; k++)
        kernels[k] = draw_kernel(&drawing->source, drawing->model);
    for (size_t i = 0; i < 2 * drawing->sessions; i++) {
        const bool new = i % 2;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s-%zu.rlcap", folder, new ? "new" : "base", i / 2 + 1);
        end_capture(draw_session_of(drawing, kernels, new, i / 2), path);
    }
    free(kernels);
    return 0;
}

static int list_models(void)
{
    for (size_t i = 0; model_at(i); i++)
        puts(model_at(i)->name);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "write") == 0)
        return write_lines(stdin);
    if (argc == 2 && strcmp(argv[1], "models") == 0)
        return list_models();
    if (argc != 9 || strcmp(argv[1], "draw") != 0)
        fail("usage", "write | models | draw MODEL SEED KERNELS SESSIONS LAUNCHES EFFECT FOLDER");
    struct drawing drawing = {.model = model_named(argv[2]),
                              .source = {strtoull(argv[3], NULL, 10)},
                              .kernels = strtoul(argv[4], NULL, 10),
                              .sessions = strtoul(argv[5], NULL, 10),
                              .launches = strtoul(argv[6], NULL, 10),
                              .effect = strtod(argv[7], NULL)};
    if (drawing.launches == 0 || drawing.launches > MOST_LAUNCHES || drawing.sessions > 60)
        fail("out of range", argv[6]);
    return draw(&drawing, argv[8]);
}

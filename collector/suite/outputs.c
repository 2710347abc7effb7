/* outputs.c - see outputs.h. */
#include <assert.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "outputs.h"

#include "core/fs.h"
#include "core/launcher.h"
#include "core/mem.h"

char *rl_growing_path(const char *output)
{
    assert(output && *output);
    if (!rl_path_exists(output))
        return rl_strdup(output);
    struct rl_buf path = RL_BUF_INIT;
    rl_buf_addf(&path, "%s.partial", output);
    return rl_buf_detach(&path, NULL);
}

/* What failed has a row, but no figures. */
static bool has_figures(const struct rl_capture *capture)
{
    size_t figures = capture->transfer_count + capture->link_run_count;
    for (size_t i = 0; i < capture->kernel_count; i++)
        figures += capture->kernels[i].launches > 0;
    for (size_t i = 0; i < capture->variant_count; i++)
        figures += capture->variants[i].status == RL_VARIANT_DONE;
    for (size_t i = 0; i < capture->ceiling_count; i++)
        figures += capture->ceilings[i].sample_count > 0;
    return figures > 0;
}

/* A file that cannot be read may hold anything. */
static bool holds_no_figures(const char *path)
{
    struct rl_capture *there = NULL;
    const bool none = rl_capture_read(path, &there, NULL) == RL_OK && !has_figures(there);
    rl_capture_free(there);
    return none;
}

/* Why the capture may not replace what is at `output`; NULL: it may. */
static const char *why_not(const struct rl_capture *capture, const char *output)
{
    struct stat file;
    if (stat(output, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size == 0)
        return NULL;
    if (!capture->session.complete)
        return "is incomplete";
    return has_figures(capture) || holds_no_figures(output) ? NULL : "has no figures";
}

enum rl_status rl_output_finish(const struct rl_capture *capture, const char *output, const char *growing, const char **lacks,
                                struct rl_err *err)
{
    const bool own = strcmp(growing, output) == 0; /* what may be there is an earlier state of this capture */
    *lacks = own ? NULL : why_not(capture, output);
    const enum rl_status status = rl_capture_write(capture, *lacks ? growing : output, err);
    if (status == RL_OK && !own && !*lacks)
        (void)unlink(growing); /* it was not there, if all went quickly */
    return status;
}

enum rl_status rl_program_output(const char *pattern, uint32_t pid, const char *host, const char *rank, struct rl_buf *out,
                                 struct rl_err *err)
{
    const struct rl_name_parts parts = {
        .host = host, .job = rl_launcher_find().job, .rank = rl_launcher_number(rank), .gpu = -1, .pid = (long)pid};
    if (rl_name_has(pattern, 'g'))
        return rl_err_set(err, RL_USAGE, "'%s': a program may use several GPUs, so the name of its captures cannot contain %%g",
                          pattern);
    return rl_name_expand(pattern, &parts, out, err);
}

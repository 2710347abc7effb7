/* outputs.c - see outputs.h. */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "outputs.h"

#include "core/launcher.h"

/* A failed item has a row, but no figures. */
static bool has_figures(const struct rl_capture *capture)
{
    return capture->transfer_count || capture->link_run_count ||
           RL_ANY(i, capture->kernel_count, capture->kernels[i].launches > 0) ||
           RL_ANY(i, capture->variant_count, capture->variants[i].status == RL_VARIANT_DONE) ||
           RL_ANY(i, capture->ceiling_count, capture->ceilings[i].sample_count > 0);
}

/* A file that cannot be read may hold anything. */
static bool holds_no_figures(const char *path)
{
    struct rl_capture *there = NULL;
    const bool none = rl_capture_read(path, &there, NULL) == RL_OK && !has_figures(there);
    rl_capture_free(there);
    return none;
}

static bool holds_complete(const char *path)
{
    struct rl_capture *there = NULL;
    const bool complete =
        rl_path_exists(path) && rl_capture_read(path, &there, NULL) == RL_OK && there->session.complete && has_figures(there);
    rl_capture_free(there);
    return complete;
}

/* Where this process, or the one that it was forked from, writes a capture. */
struct growing {
    char *output, *path;
    int claim;          /* a socket; -1: there can be none */
    bool was_there;     /* a file at `output` when it began */
    struct stat before; /* it */
};
static struct growing *all;
static size_t count, cap;

static struct growing *growing_at(const char *path)
{
    return RL_FIND(i, all, count, strcmp(all[i].path, path) == 0);
}

/* Takes a name among the processes of this machine, until it is closed or the process has ended: a socket without a file, named by
 * the hash of the path. False: another process has taken it. Where there are no sockets no name is taken. */
static bool claim(const char *path, int *claimed)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    RL_SCRATCH absolute = RL_BUF_INIT;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? rl_strndup(path, (size_t)(name - path)) : rl_strdup("."), *real = realpath(folder, NULL);
    rl_buf_addf(&absolute, "%s/%s", real ? real : folder, name);
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "rooflight-output-%s",
             rl_sha256_of(absolute.data, absolute.len).hex);
    RL_FREE(folder, real);
    *claimed = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (*claimed < 0 || bind(*claimed, (const struct sockaddr *)&address, sizeof address) == 0 || errno != EADDRINUSE)
        return true;
    close(*claimed);
    return false;
}

char *rl_growing_path(const char *output)
{
    assert(output && *output);
    enum { MOST_AT_ONCE = 100 };
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].output, output) == 0)
            return rl_strdup(all[i].path);
    for (int nth = rl_path_exists(output); nth < MOST_AT_ONCE; nth++) {
        RL_SCRATCH path = RL_BUF_INIT;
        int claimed = -1;
        rl_buf_adds(&path, output);
        if (nth > 0)
            rl_buf_adds(&path, ".partial");
        if (nth > 1)
            rl_buf_addf(&path, "%d", nth);
        const bool taken = !claim(path.data, &claimed);
        /* By one that has ended meanwhile, too; and a complete capture next to the output is nothing that was left unfinished. */
        if (taken || (nth == 0 ? rl_path_exists(output) : holds_complete(path.data))) {
            if (!taken && claimed >= 0)
                close(claimed);
            continue;
        }
        RL_GROW(all, count + 1, cap);
        all[count] = (struct growing){.output = rl_strdup(output), .path = rl_strdup(path.data), .claim = claimed};
        all[count].was_there = stat(output, &all[count].before) == 0;
        count++;
        return rl_buf_detach(&path, NULL);
    }
    return rl_strdup(output);
}

void rl_growing_end(char *path)
{
    struct growing *known = path ? growing_at(path) : NULL;
    free(path);
    if (!known)
        return;
    if (known->claim >= 0)
        close(known->claim);
    RL_FREE(known->output, known->path);
    *known = all[--count];
    if (count > 0)
        return;
    free(all);
    all = NULL;
    cap = 0;
}

/* Whether another process has written to `output` since this capture began to grow, or is about to. */
static bool is_others(const char *output, const char *path)
{
    const struct growing *known = growing_at(path);
    struct stat now;
    int claimed = -1;
    if (!known)
        return false;
    const bool there = stat(output, &now) == 0;
    if (there != known->was_there)
        return there;
    if (there &&
        (now.st_dev != known->before.st_dev || now.st_ino != known->before.st_ino || now.st_size != known->before.st_size ||
         now.st_mtim.tv_sec != known->before.st_mtim.tv_sec || now.st_mtim.tv_nsec != known->before.st_mtim.tv_nsec))
        return true;
    const bool is_free = claim(output, &claimed);
    if (is_free && claimed >= 0)
        close(claimed);
    return !is_free;
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
    *lacks = own ? NULL : is_others(output, growing) ? "was measured at the same time" : why_not(capture, output);
    const enum rl_status status = rl_capture_write(capture, *lacks ? growing : output, err);
    if (status == RL_OK && !own && !*lacks)
        (void)unlink(growing); /* it was not there, if all went quickly */
    return status;
}

enum rl_status rl_output_replace(const struct rl_capture *capture, const char *output, const char *growing, struct rl_err *err)
{
    const char *lacks = NULL;
    const enum rl_status status = rl_output_finish(capture, output, growing, &lacks, err);
    return status == RL_OK && lacks
               ? rl_err_set(err, RL_FAILED, "'%s' is left as it was: the capture in '%s' %s", output, growing, lacks)
               : status;
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

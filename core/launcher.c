#include "core/launcher.h"

#include "core/core.h"

static const struct {
    const char *name, *rank, *local_rank, *size;
} launchers[] = {
#define LAUNCHER(name, rank, local_rank, size) {name, rank, local_rank, size},
#include "core/launchers.def"
#undef LAUNCHER
};

/* Batch systems: Slurm (each element of an array has its own), PBS, LSF, Grid Engine, Flux. */
static const char *const jobs[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "FLUX_JOB_ID"};

int rl_launcher_number(const char *text)
{
    size_t len = text ? strspn(text, "0123456789") : 0;
    return len > 0 && len <= 9 && text[len] == 0 ? (int)strtol(text, NULL, 10) : -1;
}

static int number_of(const char *variable)
{
    return rl_launcher_number(*variable ? getenv(variable) : NULL);
}

struct rl_launcher rl_launcher_find(void)
{
    struct rl_launcher found = {.rank = -1, .local_rank = -1};
    for (size_t i = 0; i < RL_COUNT(launchers) && found.rank < 0; i++) {
        found.rank = number_of(launchers[i].rank);
        if (found.rank < 0)
            continue;
        found.name = launchers[i].name;
        found.local_rank = number_of(launchers[i].local_rank);
        found.size = number_of(launchers[i].size) > 0 ? number_of(launchers[i].size) : 0;
    }
    for (size_t i = 0; i < RL_COUNT(jobs) && !found.job; i++) {
        const char *job = getenv(jobs[i]);
        found.job = job && *job ? job : NULL;
    }
    return found;
}

int rl_launcher_visible_gpus(void)
{
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    if (!list)
        return -1;
    int count = *list ? 1 : 0;
    for (; *list && count < INT_MAX; list++)
        count += *list == ',';
    return count;
}

static void add_plain(struct rl_buf *out, const char *text, size_t len)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    for (size_t i = 0; i < len; i++)
        rl_buf_addch(out, text[i] && strchr(plain, text[i]) ? text[i] : '-');
}

static void add_number(struct rl_buf *out, int number, const char *none)
{
    if (number < 0)
        rl_buf_adds(out, none);
    else
        rl_buf_addf(out, "%d", number);
}

/* False for a letter that stands for nothing. */
static bool add_part(struct rl_buf *out, char letter, const struct rl_name_parts *parts)
{
    const char *host = parts->host && *parts->host ? parts->host : "host", *job = parts->job ? parts->job : "nojob";
    if (letter == 'h')
        add_plain(out, host, strcspn(host, ".") ? strcspn(host, ".") : strlen(host));
    else if (letter == 'j')
        add_plain(out, job, strlen(job));
    else if (letter == 'r')
        add_number(out, parts->rank, "norank");
    else if (letter == 'g')
        add_number(out, parts->gpu, parts->gpu == RL_NAME_LINKS ? "links" : "nogpu");
    else if (letter == 'p')
        rl_buf_addf(out, "%ld", parts->pid);
    else if (letter == '%')
        rl_buf_addch(out, '%');
    else
        return false;
    return true;
}

enum rl_status rl_name_expand(const char *pattern, const struct rl_name_parts *parts, struct rl_buf *out, struct rl_err *err)
{
    const size_t before = out->len;
    for (const char *at = pattern; *at; at++) {
        if (*at != '%') {
            rl_buf_addch(out, *at);
        } else if (!add_part(out, *++at, parts)) {
            rl_buf_truncate(out, before);
            return rl_err_set(err, RL_USAGE, "'%s': after %% comes h (host), r (rank), g (GPU), p (process), j (job) or another %%",
                              pattern);
        }
    }
    return RL_OK;
}

bool rl_name_has(const char *pattern, char letter)
{
    for (const char *at = pattern; *at; at++)
        if (*at == '%' && *++at == letter)
            return true;
        else if (!*at)
            return false;
    return false;
}

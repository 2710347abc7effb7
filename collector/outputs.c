/* outputs.c - see outputs.h. */
#include <assert.h>

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

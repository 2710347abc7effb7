/* outputs.c - see outputs.h. */
#include "outputs.h"

#include <string.h>

#include "core/fs.h"
#include "core/mem.h"

char *rl_growing_path(const char *output)
{
    if (!rl_path_exists(output))
        return rl_strdup(output);
    struct rl_buf path = RL_BUF_INIT;
    rl_buf_addf(&path, "%s.partial", output);
    return rl_buf_detach(&path, NULL);
}

static void add_plain(struct rl_buf *out, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    for (; *text && *text != '.'; text++)
        rl_buf_addch(out, strchr(plain, *text) ? *text : '-');
}

bool rl_expand_output(const char *pattern, uint32_t pid, const char *host, const char *rank, struct rl_buf *out)
{
    size_t before = out->len;
    for (const char *c = pattern; *c; c++) {
        if (*c != '%') {
            rl_buf_addch(out, *c);
            continue;
        }
        switch (*++c) {
        case 'p':
            rl_buf_addf(out, "%u", (unsigned)pid);
            break;
        case 'h':
            add_plain(out, host && *host ? host : "host");
            break;
        case 'r':
            add_plain(out, rank && *rank ? rank : "norank");
            break;
        case '%':
            rl_buf_addch(out, '%');
            break;
        default:
            rl_buf_truncate(out, before);
            return false;
        }
    }
    return true;
}

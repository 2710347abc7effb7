/* collect_sessions.c - several sessions by one command: one after another, each with a separate capture. */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "collect.h"
#include "core/clock.h"

enum { USUAL_WINDOW_MS = 500 };

/* "base-2.rlcap" for "base.rlcap". */
static void name_session(const char *output, int session, struct rl_buf *name)
{
    static const char ending[] = ".rlcap";
    const size_t len = strlen(output), end = strlen(ending);
    const bool ends = len > end && strcmp(output + len - end, ending) == 0;
    rl_buf_add(name, output, ends ? len - end : len);
    rl_buf_addf(name, "-%d%s", session, ends ? ending : "");
}

static enum rl_status check(const struct collect_options *chosen, struct rl_err *err)
{
    if (!chosen->output)
        return rl_err_set(err, RL_USAGE, "--sessions needs a name: with -o base.rlcap the captures are base-1.rlcap and so on");
    if (chosen->gpu && (strcmp(chosen->gpu, "all") == 0 || strchr(chosen->gpu, ',')))
        return rl_err_set(err, RL_USAGE, "--sessions measures one GPU, not '--gpu %s'", chosen->gpu);
    if (chosen->links == COLLECT_LINKS_ONLY)
        return rl_err_set(err, RL_USAGE, "--sessions cannot be combined with '--links only'");
    return RL_OK;
}

enum rl_status collect_sessions(const struct cli_call *call, collect_session *session, struct rl_err *err)
{
    struct collect_options one = *(const struct collect_options *)call->options;
    const char *const output = one.output;
    const int sessions = one.sessions;
    struct cli_call of_one = *call;
    assert(sessions > 0);
    of_one.options = &one;
    enum rl_status status = check(&one, err);
    if (status != RL_OK)
        return status;
    if (cli_operands_behind_dashes(call) == 0 && !one.window)
        one.window = USUAL_WINDOW_MS;
    int done = 0;
    while (done < sessions && status == RL_OK && !call->outcome->status && !call->outcome->signal && !call->outcome->stop) {
        struct rl_buf name = RL_BUF_INIT;
        name_session(output, ++done, &name);
        one.output = name.data;
        /* Device memory that a session takes first: a whole number of pages, by chance. */
        enum { PAGES = 64 };
        const size_t page_bytes = 2 << 20;
        one.displacement = page_bytes * (size_t)(((uint64_t)rl_realtime_ns() / 1000 ^ (uint64_t)getpid()) % PAGES);
        cli_say(call, "session %d of %d", done, sessions);
        status = session(&of_one, err);
        rl_buf_release(&name);
    }
    if (done < sessions)
        cli_say(call, "stopped in session %d of %d", done, sessions);
    if (call->outcome->stop && !call->outcome->signal)
        call->outcome->signal = call->outcome->stop;
    /* Captures of an earlier call with more sessions would be taken for sessions of this one. */
    struct rl_buf name = RL_BUF_INIT;
    name_session(output, sessions + 1, &name);
    if (access(name.data, F_OK) == 0)
        cli_say(call, "'%s' also exists: it is from an earlier call", name.data);
    rl_buf_release(&name);
    return status;
}

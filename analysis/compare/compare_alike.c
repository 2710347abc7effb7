/* compare_alike.c - what all sessions of a comparison should have in common, and which of them did not come to their end. */
#include "compare_internal.h"

enum { MOST_NAMED = 3 };

enum rl_relation_of_cards rl_relation_of_gpus(const struct rl_gpu *a, const struct rl_gpu *b)
{
    const bool other_chip = a->cc_major && b->cc_major && (a->cc_major != b->cc_major || a->cc_minor != b->cc_minor);

    if (other_chip || strcmp(a->name, b->name) != 0) /* imported captures may not know their names */
        return RL_OTHER_MODEL;
    if (!a->uuid || !b->uuid)
        return RL_MAYBE_ONE;
    return strcmp(a->uuid, b->uuid) == 0 ? RL_ONE_CARD : RL_ONE_MODEL;
}

const char *const rl_circumstance_names[RL_CIRCUMSTANCE_COUNT] = {
    [RL_CIRCUMSTANCE_DRIVER] = "The driver",
    [RL_CIRCUMSTANCE_TOOL] = "rooflight",
    [RL_CIRCUMSTANCE_SOURCE] = "The source of the figures",
    [RL_CIRCUMSTANCE_CACHES] = "The state of the caches before counted launches",
};

static const char *driver_of(const struct rl_capture *capture)
{
    return capture->session.driver;
}

static const char *tool_of(const struct rl_capture *capture)
{
    return capture->session.tool_version;
}

static const char *source_of(const struct rl_capture *capture)
{
    return capture->session.source;
}

/* That of all passes. */
static const char *caches_of(const struct rl_capture *capture)
{
    const char *found = NULL;
    for (size_t i = 0; i < capture->pass_count; i++) {
        const char *cache = capture->passes[i].cache;
        if (!cache || strcmp(cache, "unknown") == 0)
            return NULL;
        if (found && strcmp(found, cache) != 0)
            return "mixed";
        found = cache;
    }
    return found;
}

static const char *(*const value_of[RL_CIRCUMSTANCE_COUNT])(const struct rl_capture *capture) = {
    [RL_CIRCUMSTANCE_DRIVER] = driver_of,
    [RL_CIRCUMSTANCE_TOOL] = tool_of,
    [RL_CIRCUMSTANCE_SOURCE] = source_of,
    [RL_CIRCUMSTANCE_CACHES] = caches_of,
};

/* Different values of a side's sessions, in their order, the first few of them. */
struct values {
    const char *named[MOST_NAMED];
    size_t count;
    bool has_more;
};

static struct values values_of(const struct rl_compare_side *side, enum rl_circumstance circumstance)
{
    struct values values = {.count = 0};
    for (size_t i = 0; i < side->session_count; i++) {
        const char *value = value_of[circumstance](side->sessions[i].analysis->capture);
        if (!value || !*value ||
            RL_ANY(k, values.count, strcmp(values.named[k], value) == 0)) /* none is known: nothing differs from it */
            continue;
        if (values.count < MOST_NAMED)
            values.named[values.count++] = value;
        else
            values.has_more = true;
    }
    return values;
}

static void add_values(const struct values *values, struct rl_buf *out)
{
    for (size_t i = 0; i < values->count; i++)
        rl_buf_addf(out, "%s%s", i ? ", " : "", values->named[i]);
    if (values->has_more)
        rl_buf_adds(out, ", ...");
}

bool rl_comparison_differs(const struct rl_comparison *comparison, enum rl_circumstance circumstance, struct rl_buf *out)
{
    assert((size_t)circumstance < RL_CIRCUMSTANCE_COUNT);
    const struct values base = values_of(&comparison->base, circumstance), new = values_of(&comparison->new, circumstance);
    const bool is_mixed = base.count > 1 || new.count > 1;
    const bool changed = !is_mixed && base.count && new.count &&strcmp(base.named[0], new.named[0]) != 0;
    if (changed)
        rl_buf_addf(out, "changed from %s to %s", base.named[0], new.named[0]);
    if (is_mixed) {
        rl_buf_adds(out, "is not the same in all sessions: ");
        add_values(&base, out);
        rl_buf_adds(out, " in the baseline, ");
        add_values(&new, out);
        rl_buf_adds(out, " in the candidate");
    }
    return changed || is_mixed;
}

/* Whether an observed process started this one: then its end is that one's affair. */
static bool is_child(const struct rl_capture *capture, const struct rl_process *process)
{
    for (size_t i = 0; i < capture->process_count; i++) {
        const struct rl_process *other = &capture->processes[i];
        if (other != process && other->pid == process->parent_pid &&
            (!other->host || !process->host || strcmp(other->host, process->host) == 0))
            return true;
    }
    return false;
}

/* Processes are looked at from the first one: with many of them, those that ended well cost nothing. */
void rl_side_session_failure(const struct rl_side_session *session, struct rl_buf *out)
{
    const struct rl_capture *capture = session->analysis->capture;
    for (size_t i = 0; i < capture->process_count; i++) {
        const struct rl_process *process = &capture->processes[i];
        if (process->status == 0 || is_child(capture, process))
            continue;
        rl_buf_addf(out,
                    strcmp(process->end, "killed") == 0 ? "its program was ended by signal %d" : "its program ended with status %d",
                    process->status);
        return;
    }
    if (session->is_strange)
        rl_buf_adds(out, "it has none of the kernels of its side");
}

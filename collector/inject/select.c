/* select.c - filters of launches: by kernel name, by NVTX range, by number, between marks. */
#include <fnmatch.h>
#include <regex.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "ranges.h"

/* From the Itanium C++ ABI, section 3.4; linked in from the static C++ runtime. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

static struct {
    regex_t kernel;
    bool has_kernel;
    char *start, *end; /* of --range: patterns, each "[DOMAIN@]NAME" */
    atomic_bool range_open, profiler_open;
    atomic_ullong number; /* launches that passed all other filters */
} filters;

/* The prefix "regex:" is accepted for compatibility: every expression is one. */
static bool compile_kernel(const char *text)
{
    static const char prefix[] = "regex:";
    if (!text)
        return true;
    text += strncmp(text, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    filters.has_kernel = regcomp(&filters.kernel, text, REG_EXTENDED | REG_NOSUB) == 0;
    return filters.has_kernel;
}

/* Names are matched on a stack of ours: both demangling and matching take tens of kilobytes, and that of the thread which launches
 * may have 16. */
enum { MATCHING_STACK = 1 << 20 };
static struct {
    ucontext_t of_thread, own;
    char *stack; /* NULL: there is no memory for one */
    const char *mangled;
    bool passes;
    atomic_bool taken;
} matching;

/* Sanitizers know one stack for each thread. */
static char *matching_stack(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return NULL;
#else
    void *stack = mmap(NULL, MATCHING_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    return stack == MAP_FAILED ? NULL : stack;
#endif
}

bool select_init(const char **wrong)
{
    *wrong = "--kernel";
    if (!compile_kernel(settings.kernel))
        return false;
    if (filters.has_kernel)
        matching.stack = matching_stack();
    *wrong = "--range";
    if (settings.range) {
        const char *dots = strstr(settings.range, "..");
        if (!dots)
            return false;
        filters.start = rl_strndup(settings.range, (size_t)(dots - settings.range));
        filters.end = rl_strdup(dots + 2);
    }
    atomic_store(&filters.range_open, !settings.range);
    atomic_store(&filters.profiler_open, !settings.wait);
    return true;
}

static bool matches_kernel(const char *mangled)
{
    int status = 0;
    char *demangled = __cxa_demangle(mangled, NULL, NULL, &status);
    const char *name = status == 0 && demangled ? demangled : mangled;
    const bool passes = regexec(&filters.kernel, name, 0, NULL, 0) == 0;
    free(demangled);
    return passes;
}

static void match(void)
{
    matching.passes = matches_kernel(matching.mangled);
}

/* For a second at most: the holder may have been lost in a fork. */
static bool take_matching(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int tries = 0; atomic_exchange(&matching.taken, true); tries++)
        if (tries == 1000 || nanosleep(&moment, NULL) != 0)
            return false;
    return true;
}

bool select_name(const char *mangled)
{
    if (!filters.has_kernel)
        return true;
    if (!matching.stack || !take_matching())
        return matches_kernel(mangled);
    matching.mangled = mangled;
    const bool switched = getcontext(&matching.own) == 0;
    if (switched) {
        matching.own.uc_stack = (stack_t){.ss_sp = matching.stack, .ss_size = MATCHING_STACK};
        matching.own.uc_link = &matching.of_thread;
        makecontext(&matching.own, match, 0);
    }
    const bool passes =
        switched && swapcontext(&matching.of_thread, &matching.own) == 0 ? matching.passes : matches_kernel(mangled);
    atomic_store(&matching.taken, false);
    return passes;
}

bool select_needs_launches(void)
{
    return settings.nvtx || settings.range || settings.skip || settings.count || settings.wait;
}

/* Matches one part of a pattern with a name; both may hold anything. */
static bool part_matches(const char *part, size_t len, const char *name)
{
    char *pattern = rl_strndup(part, len);
    bool matches = fnmatch(pattern, name, 0) == 0;
    free(pattern);
    return matches;
}

/* Matches the prefix "DOMAIN@" of a pattern, without which any domain matches. Returns the rest. */
static const char *behind_domain(const char *pattern, const char **domain, size_t *len)
{
    const char *at = strchr(pattern, '@');
    *domain = at ? pattern : NULL;
    *len = at ? (size_t)(at - pattern) : 0;
    return at ? at + 1 : pattern;
}

/* Matches the parts of the pattern with steps[first], steps[first + 1], ... */
static bool matches_from(const char *pattern, const struct path_step *steps, size_t count, size_t first)
{
    const char *domain;
    size_t domain_len;
    const char *part = behind_domain(pattern, &domain, &domain_len);
    for (size_t at = first; at < count; at++) {
        size_t len = strcspn(part, "/");
        if ((domain && !part_matches(domain, domain_len, steps[at].domain ? steps[at].domain : "")) ||
            !part_matches(part, len, steps[at].name))
            return false;
        if (!part[len] || !part[len + 1])
            return true; /* a trailing slash is ignored */
        part += len + 1;
    }
    return false;
}

bool select_path_matches(const char *pattern, const struct path_step *steps, size_t count)
{
    for (size_t first = 0; first < count; first++)
        if (matches_from(pattern, steps, count, first))
            return true;
    return false;
}

static bool names_range(const char *pattern, const char *domain, const char *name)
{
    struct path_step step = {domain, name};
    return select_path_matches(pattern, &step, 1);
}

void select_range_entered(const char *domain, const char *name)
{
    if (filters.start && names_range(filters.start, domain, name))
        atomic_store(&filters.range_open, true);
}

void select_range_left(const char *domain, const char *name)
{
    if (filters.end && names_range(filters.end, domain, name))
        atomic_store(&filters.range_open, false);
}

void select_profiler(bool started)
{
    if (settings.wait)
        atomic_store(&filters.profiler_open, started);
}

static bool is_inside(const struct place *place)
{
    struct path_step steps[MOST_DEPTH];
    if (!hold())
        return false;
    for (size_t i = 0; i < place->depth; i++)
        steps[i] = node_step(place->nodes[i]);
    let_go();
    return select_path_matches(settings.nvtx, steps, place->depth);
}

bool select_launch(const struct place *place, bool name_passes)
{
    assume(place->depth <= MOST_DEPTH);
    if (!name_passes || !atomic_load(&filters.range_open) || !atomic_load(&filters.profiler_open))
        return false;
    if (settings.nvtx && !is_inside(place))
        return false;
    if (!settings.skip && !settings.count)
        return true;
    unsigned long long number = atomic_fetch_add(&filters.number, 1);
    unsigned long long skip = (unsigned long long)settings.skip, count = (unsigned long long)settings.count;
    return number >= skip && (!count || number - skip < count);
}

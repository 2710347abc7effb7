/* wanted.c - which classes are to be counted, and under which configuration they lack launches. */
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"
#include "handout.h"
#include "wanted.h"

static const double SHARE = 0.99;                                                       /* of the GPU's time is to be covered */
static const uint64_t DEFAULT_COST_NS = 250000000, WHOLE_COST_NS = 3 * DEFAULT_COST_NS; /* windows under the default plan */

/* What a run that was asked for is to count: of the classes that matter, ascending by hash. */
static struct wanted {
    uint64_t hash, launches;
} * wanted;
static size_t wanted_count;
static bool wanted_chosen; /* somebody has said which; there may be none */

static int compare_hashes(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;
    return rl_ascending(x->hash, y->hash);
}

void wanted_read(void)
{
    size_t len = 0, cap = 0;
    const char *text = rl_handout_find(notes, notes_size, RL_HANDOUT_WANTED, &len);
    for (size_t at = 0; text && at < len;) {
        char *end;
        struct wanted class = {.hash = strtoull(text + at, &end, 16)};
        RL_GROW(wanted, wanted_count + 1, cap);
        wanted[wanted_count++] = class;
        at = (size_t)(end + 1 - text);
    }
    wanted_chosen = text != NULL;
    if (wanted_count)
        rl_sort(wanted, wanted_count, sizeof *wanted, compare_hashes);
}

static const struct wanted *find_wanted(const struct class *class)
{
    const struct wanted key = {.hash = class->hash};
    return wanted_count ? bsearch(&key, wanted, wanted_count, sizeof *wanted, compare_hashes) : NULL;
}

bool wanted_at_all(const struct class *class)
{
    if (class->excluded || class->collective || class->waits)
        return false;
    return settings.times ? class->wanted : !wanted_chosen || find_wanted(class);
}

void wanted_learn(struct class *class)
{
    if (!settings.times && find_wanted(class))
        class->proven = true;
}

size_t wanted_still(const struct target *target, const struct class *class, size_t config)
{
    assume(config < target->plan.count);
    return !target->off[config] && wanted_at_all(class) && plan_meets(&target->plan, class, config)
               ? durations_missing(class, config, (size_t)settings.samples)
               : 0;
}

static int compare_totals(const void *a, const void *b)
{
    const struct class *const *x = a, *const *y = b;
    return rl_descending((*x)->total_ns, (*y)->total_ns);
}

/* Shapes of one kernel are a family: some of them stand for all. */
enum { FAMILY_SLOTS = 1 << 12 };

/* How many classes of this kernel have been chosen; there may be a few more when two kernels share a place. */
static size_t *shapes_of(size_t families[FAMILY_SLOTS], const char *name)
{
    return &families[((uintptr_t)name >> 4) % FAMILY_SLOTS];
}

/* Timed run: the classes with the most time, up to SHARE of it; of a kernel with many shapes those with the most. Under `lock`. */
static void choose_classes(void)
{
    assume(is_held());
    struct class **sorted = rl_calloc(class_count(), sizeof(struct class *));
    size_t *families = rl_calloc(FAMILY_SLOTS, sizeof *families);
    size_t count = 0;
    double total = 0, covered = 0;
    for (size_t i = 0; i < class_count(); i++)
        if (!class_at(i)->excluded && !class_at(i)->collective) {
            sorted[count++] = class_at(i);
            total += (double)class_at(i)->total_ns;
        }
    if (count)
        rl_sort(sorted, count, sizeof *sorted, compare_totals);
    for (size_t i = 0; i < count; i++) {
        size_t *shapes = shapes_of(families, sorted[i]->name);
        sorted[i]->wanted = covered < SHARE * total && *shapes < RL_STREAM_MOST_SHAPES;
        *shapes += sorted[i]->wanted;
        covered += (double)sorted[i]->total_ns;
    }
    free(families);
    free(sorted);
}

/* Launches that the classes on this GPU want under a configuration. Under `lock`. */
static size_t missing_under(const struct target *target, size_t config)
{
    assume(config < target->plan.count);
    size_t missing = 0;
    for (size_t i = 0; i < class_count() && !target->off[config]; i++)
        if (class_at(i)->shape.gpu == target->gpu)
            missing += wanted_still(target, class_at(i), config);
    return missing;
}

/* Classes on this GPU that have times enough for a window, and have not shown yet that they wait for nobody. Under `lock`. */
static size_t unproven_on(uint32_t gpu)
{
    size_t count = 0;
    for (size_t i = 0; i < class_count(); i++) {
        const struct class *class = class_at(i);
        count += class->shape.gpu == gpu && class->timed >= LEAST_TIMED && !class->proven && !class->waits && !class->excluded &&
                 !class->collective;
    }
    return count;
}

/* Whether a class on this GPU is wanted and may be counted by now. Under `lock`. */
static bool any_wanted(uint32_t gpu)
{
    for (size_t i = 0; i < class_count(); i++)
        if (class_at(i)->shape.gpu == gpu && wanted_at_all(class_at(i)) && (!settings.times || class_at(i)->timed >= LEAST_TIMED))
            return true;
    return false;
}

static bool look_for_missing(struct target *target)
{
    bool any = false;
    target->unproven = settings.times ? unproven_on(target->gpu) : 0;
    for (size_t c = 0; target->ready && c < target->plan.count; c++) {
        target->missing[c] = missing_under(target, c);
        any = any || target->missing[c];
    }
    return any || (!target->ready && any_wanted(target->gpu));
}

bool wanted_look(void)
{
    bool any = false;
    if (!hold())
        return false;
    if (settings.times)
        choose_classes();
    for (size_t i = 0; target_at(i); i++)
        any |= !target_at(i)->dead && look_for_missing(target_at(i));
    const bool first = !target_at(0) && class_count();
    let_go();
    return any || first;
}

bool wanted_config(const struct target *target, const struct class *class, size_t *config)
{
    size_t most = 0;
    bool conditional = true;
    for (size_t c = 0; c < target->plan.count; c++) {
        const bool better = (target->plan.when[c] != NULL) == conditional ? target->missing[c] > most : conditional;
        if (target->off[c] || !target->plan.configs[c].counter_count || !target->missing[c] || !better ||
            !wanted_still(target, class, c))
            continue;
        most = target->missing[c];
        conditional = target->plan.when[c] != NULL;
        *config = c;
    }
    return most > 0;
}

/* ---- what it costs ---- */

/* One that nobody has opened yet costs what another has cost, or what is usual. */
static uint64_t cost_of(const struct target *target, size_t config)
{
    assume(target->ready && config < target->plan.count);
    uint64_t most = 0;
    for (size_t c = 0; c < target->plan.count; c++)
        most = target->cost_ns[c] > most ? target->cost_ns[c] : most;
    return target->cost_ns[config] ? target->cost_ns[config] : most ? most : DEFAULT_COST_NS;
}

uint64_t wanted_cost(const struct target *target, size_t config)
{
    uint64_t all = 0;
    for (size_t c = 0; c < target->plan.count; c++)
        if (target->missing[c] && !target->off[c] && !target->plan.when[c])
            all += cost_of(target, c);
    const uint64_t least = cost_of(target, config), most = least > WHOLE_COST_NS ? least : WHOLE_COST_NS;
    return all < least ? least : all < most ? all : most;
}

/* pack.c - which counters go into which pass.
 *
 * CUPTI's own scheduler splits a list into passes greedily and depends on its order, so the program packs: each counter goes into
 * the first configuration that still takes one pass with it, or opens another. That too depends on the order, so the table's order
 * and several random ones are tried, and the smallest number of passes wins. The outcome is kept in a file, because a search takes
 * seconds. Long lists get few orders: each takes as long as the passes times the counters, and saves next to nothing (CUPTI
 * 13.0, the set limits with stalls: of 16 orders none saves more than one pass, on GA100). */
#include "host.h"

enum { MOST_ORDERS = 16, ORDERS_OF_LONG_LISTS = 2, LONG_LIST = 24, IDLE_ORDERS = 12, MOST_CACHE_BYTES = 1 << 16 };

/* To be packed: the counters that the chip has. */
struct packing {
    const char *chip;
    const uint8_t *availability;
    const char **counters;
    size_t count, fixed;
    const char **scratch; /* room for all of them and one more */
};

/* Counter i is in pass of[i]. */
struct passes {
    size_t *of, count;
};

/* Whether the counters of pass `pass`, and `extra` (NULL: none), take one pass. */
static bool fits(struct packing *packing, const struct passes *passes, const bool *placed, size_t pass, const char *extra)
{
    size_t count = 0;
    for (size_t i = 0; i < packing->count; i++)
        if (placed[i] && passes->of[i] == pass)
            packing->scratch[count++] = packing->counters[i];
    if (extra)
        packing->scratch[count++] = extra;
    return count == 0 || rl_host_passes(packing->chip, packing->availability, packing->scratch, count) == 1;
}

/* The first pass takes `count` counters from the front when they fit it all together. */
static bool place_together(struct packing *packing, struct passes *passes, bool *placed, size_t count)
{
    assert(count <= packing->count);
    if (count == 0 || rl_host_passes(packing->chip, packing->availability, packing->counters, count) != 1)
        return false;
    for (size_t i = 0; i < count; i++) {
        passes->of[i] = 0;
        placed[i] = true;
    }
    passes->count = 1;
    return true;
}

/* Packs in the order given by `order`. With `apart` the pass of the fixed counters takes no others: a full pass is not always the
 * better one. Gives up when there are `most` passes. */
static void pack_in_order(struct packing *packing, const size_t *order, bool apart, size_t most, struct passes *passes)
{
    RL_FREED bool *placed = rl_calloc(packing->count, sizeof *placed);
    passes->count = 0;
    if (!place_together(packing, passes, placed, packing->count)) {
        const bool together = place_together(packing, passes, placed, packing->fixed);
        for (size_t i = 0; i < packing->count && passes->count < most; i++)
            if (!placed[order[i]]) {
                /* The first pass from `from` on that takes the counter. */
                size_t counter = order[i];
                size_t from = together && apart;
                assert(counter < packing->count && !placed[counter]);
                size_t pass = from;
                while (pass < passes->count && !fits(packing, passes, placed, pass, packing->counters[counter]))
                    pass++;
                passes->of[counter] = pass;
                passes->count += pass == passes->count;
                assert(passes->of[counter] < passes->count);
                placed[counter] = true;
            }
    }
}

/* Shuffles the counters behind the fixed ones; the same numbers every time. */
static void shuffle(size_t *order, size_t from, size_t count, uint64_t *state)
{
    assert(from <= count);
    for (size_t i = count; i > from + 1; i--) {
        *state = *state * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
        const size_t other = from + (size_t)((*state >> 33) % (i - from)), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

/* ---- what was found before ---- */

/* "$XDG_CACHE_HOME/rooflight/passes-GH100-13.0-0123456789abcdef": one file for a chip, a version of CUPTI and a list of counters;
 * false where there is no place for it. Makes the folders. */
static bool cache_path(const struct packing *packing, struct rl_buf *path)
{
    RL_SCRATCH list = RL_BUF_INIT;
    if (!rl_cache_folder(path))
        return false;
    for (size_t i = 0; i < packing->count; i++)
        rl_buf_addf(&list, "%s%c", packing->counters[i], i < packing->fixed ? '!' : '\n');
    rl_buf_addf(path, "/passes-%s-%s-%.16s", packing->chip, rl_cupti_version(), rl_sha256_of(list.data, list.len).hex);
    return true;
}

/* Reads a pass number for each counter; they are believed only when each pass really is one. */
static bool recall(struct packing *packing, const char *path, struct passes *passes)
{
    RL_SCRATCH text = RL_BUF_INIT;
    bool *placed = rl_calloc(packing->count, sizeof *placed), good = rl_read_file(path, MOST_CACHE_BYTES, &text, NULL) == RL_OK;
    const char *at = text.data;
    passes->count = 0;
    for (size_t i = 0; i < packing->count && good; i++) {
        char *end = NULL;
        passes->of[i] = strtoul(at, &end, 10);
        good = end != at && passes->of[i] <= passes->count;
        passes->count += good && passes->of[i] == passes->count;
        placed[i] = true;
        at = end;
    }
    for (size_t p = 0; p < passes->count && good; p++)
        good = fits(packing, passes, placed, p, NULL);
    free(placed);
    return good;
}

static void pack(struct packing *packing, struct passes *passes)
{
    RL_SCRATCH path = RL_BUF_INIT;
    RL_FREED bool *placed = rl_calloc(packing->count, sizeof *placed);
    bool done = place_together(packing, passes, placed, packing->count); /* the usual case: everything is one pass */
    bool keep = !done && cache_path(packing, &path);
    if (!done && !(keep && recall(packing, path.data, passes))) {
        /* The best of several orders, the table's first; stops when a few in a row are no better. */
        struct passes tried = {.of = rl_calloc(packing->count, sizeof *tried.of)};
        size_t *order = rl_calloc(packing->count, sizeof *order);
        const int orders = packing->count - packing->fixed > LONG_LIST ? ORDERS_OF_LONG_LISTS : MOST_ORDERS;
        uint64_t state = 3; /* finds the best known packing of the stall reasons within a few orders on every chip of CUPTI 13.0 */
        for (size_t i = 0; i < packing->count; i++)
            order[i] = i;
        pack_in_order(packing, order, false, SIZE_MAX, passes);
        assert(passes->count > 0 || packing->count == 0);
        for (int n = 1, idle = 0; n < orders && idle < IDLE_ORDERS && passes->count > 1; n++, idle++) {
            if (n > 1 && n % 2)
                shuffle(order, packing->fixed, packing->count, &state);
            pack_in_order(packing, order, n % 2, passes->count, &tried);
            if (tried.count < passes->count) {
                memcpy(passes->of, tried.of, packing->count * sizeof *tried.of);
                passes->count = tried.count;
                idle = 0;
            }
        }
        RL_FREE(order, tried.of);
        /* Numbers the passes in the order of their first counter, which is what a file holds. */
        size_t *number = rl_calloc(passes->count, sizeof *number), next = 0;
        for (size_t i = 0; i < packing->count; i++) {
            assert(passes->of[i] < passes->count);
            if (number[passes->of[i]] == 0)
                number[passes->of[i]] = ++next;
            passes->of[i] = number[passes->of[i]] - 1;
        }
        free(number);
        if (keep) {
            RL_SCRATCH text = RL_BUF_INIT;
            for (size_t i = 0; i < packing->count; i++)
                rl_buf_addf(&text, "%zu%c", passes->of[i], i + 1 < packing->count ? ' ' : '\n');
            if (rl_check_writable(path.data, NULL) == RL_OK)
                (void)rl_write_file_atomic(path.data, text.data, text.len, NULL); /* without it the search is made again */
        }
    }
}

/* ---- configurations ---- */

/* Which counters the chip has in one pass: all that it lists when they fit together, otherwise those that do alone. */
static void find_available(struct packing *packing, const struct rl_configuration *wanted, bool *available)
{
    for (size_t i = 0; i < wanted->counter_count; i++)
        available[i] = false;
    if (rl_host_list(packing->chip, packing->availability, wanted->counters, wanted->counter_count, available)) {
        for (size_t i = 0; i < wanted->counter_count; i++)
            if (available[i])
                packing->counters[packing->count++] = wanted->counters[i];
        if (packing->count && rl_host_passes(packing->chip, packing->availability, packing->counters, packing->count) == 1)
            return;
    }
    packing->count = 0;
    for (size_t i = 0; i < wanted->counter_count; i++) {
        available[i] = rl_host_passes(packing->chip, packing->availability, &wanted->counters[i], 1) == 1;
        if (available[i])
            packing->counters[packing->count++] = wanted->counters[i];
    }
}

/* Those of a list for which the pass has room. */
static void add_more(const struct packing *packing, const char *const *name, struct rl_config *config)
{
    for (; name && *name; name++) {
        const bool there = rl_config_has(config, *name);
        config->counters[config->counter_count] = *name;
        if (!there && rl_host_passes(packing->chip, packing->availability, config->counters, config->counter_count + 1) == 1)
            config->counter_count++;
    }
}

static size_t length_of(const char *const *list)
{
    size_t length = 0;
    while (list && list[length])
        length++;
    return length;
}

static struct rl_config new_config(const struct packing *packing, const struct rl_configuration *wanted,
                                   const struct passes *passes, size_t pass)
{
    assert(pass == 0 || pass < passes->count);
    char name[64];
    snprintf(name, sizeof name, pass ? "%s %zu" : "%s", wanted->name, pass + 1);
    struct rl_config config = {
        .name = rl_strdup(name),
        .wanted = wanted,
        .counters =
            rl_calloc(packing->count + length_of(wanted->witnesses) + length_of(wanted->beside) + 1, sizeof *config.counters),
    };
    for (size_t i = 0; i < packing->count; i++)
        if (passes->of[i] == pass)
            config.counters[config.counter_count++] = packing->counters[i];
    if (config.counter_count) {
        add_more(packing, wanted->witnesses, &config);
        add_more(packing, wanted->beside, &config);
    }
    return config;
}

enum rl_status rl_host_pack(const char *chip, const uint8_t *availability, const struct rl_configuration *wanted, bool *available,
                            struct rl_config **configs, size_t *count, struct rl_err *err)
{
    struct packing packing = {
        .chip = chip,
        .availability = wanted->of_device ? NULL : availability,
        .counters = rl_calloc(wanted->counter_count + 1, sizeof *packing.counters),
        .scratch = rl_calloc(wanted->counter_count + 1, sizeof *packing.scratch),
    };
    struct passes passes = {.of = rl_calloc(wanted->counter_count + 1, sizeof *passes.of)};
    *configs = NULL;
    *count = 0;
    enum rl_status status = rl_host_knows(chip, packing.availability, err); /* a chip that CUPTI does not know has no counters */
    if (status != RL_OK)
        goto out;
    find_available(&packing, wanted, available);
    for (size_t i = 0; i < wanted->fixed && i < wanted->counter_count; i++)
        packing.fixed += available[i];
    assert(packing.fixed <= packing.count);
    pack(&packing, &passes);
    *count = passes.count ? passes.count : 1;
    *configs = rl_calloc(*count, sizeof **configs);
    for (size_t pass = 0; pass < *count; pass++)
        (*configs)[pass] = new_config(&packing, wanted, &passes, pass);
    for (size_t pass = 0; pass < *count && status == RL_OK; pass++)
        if ((*configs)[pass].counter_count)
            status = rl_host_finish(&(*configs)[pass], chip, packing.availability, err);
out:
    RL_FREE(passes.of, packing.scratch, packing.counters);
    return status;
}

/* ceiling.c - the rows of ceilings.def, and what a configuration comes to on a GPU. */
#include "kernels/ceiling.h"

#include "core/core.h"
#include "core/formula.h"

enum { VECTOR = 16 }; /* bytes that a thread loads or stores at a time */

#define SWEEP(...)                                                                                                                 \
    (const struct rl_bench_configuration[])                                                                                        \
    {                                                                                                                              \
        __VA_ARGS__,                                                                                                               \
        {                                                                                                                          \
            .kernel = NULL                                                                                                         \
        }                                                                                                                          \
    }
#define BENCH(id_, label_, unit_, ...) {.id = #id_, .label = label_, .unit = RL_UNIT_##unit_, __VA_ARGS__},

const struct rl_bench rl_benches[] = {
#include "ceilings.def"
};
const size_t rl_bench_count = RL_COUNT(rl_benches);

/* Keys of the settings of each family; end with NULL. */
static const char *const family_keys[RL_BENCH_FAMILY_COUNT][RL_BENCH_MAX_SETTINGS + 1] = {
#define FAMILY(id, ...) [RL_BENCH_##id] = {__VA_ARGS__},
#include "kernels/bench_families.def"
};

const struct rl_bench *rl_bench_find(const char *id)
{
    return RL_FIND(i, rl_benches, rl_bench_count, strcmp(rl_benches[i].id, id) == 0);
}

static const uint64_t MIB = 1 << 20, LEAST_BUFFER = 256 << 20, CHECK_BYTES = 8 << 20;
static const uint64_t MOST_BUFFER = UINT64_C(4) << 30;
static const int BUFFER_CACHES = 64; /* so that what L2 still holds of the last launch is 1.6 % at most */

static uint64_t power_of_two_at_least(uint64_t size)
{
    uint64_t power = 1;
    while (power < size && power < UINT64_C(1) << 62)
        power *= 2;
    return power;
}

uint64_t rl_bench_buffer_bytes(uint64_t l2_bytes, uint64_t free_bytes)
{
    uint64_t bytes = l2_bytes > MOST_BUFFER / BUFFER_CACHES ? MOST_BUFFER : power_of_two_at_least(BUFFER_CACHES * l2_bytes);
    bytes = bytes < LEAST_BUFFER ? LEAST_BUFFER : bytes;
    while (bytes > free_bytes / 4 && bytes >= 2 * MIB)
        bytes /= 2;
    return bytes;
}

/* Bytes that a block reaches over at a time. */
static uint64_t chunk(const struct rl_bench_configuration *configuration)
{
    const int threads = configuration->threads > 0 ? configuration->threads : 1;
    const uint64_t each = configuration->family == RL_BENCH_lines ? RL_BENCH_LINE : VECTOR;
    return (uint64_t)threads * (uint64_t)(configuration->unroll > 0 ? configuration->unroll : 1) * each;
}

/* A grid that stays on the GPU shares its data out: every block has as many chunks, and reads no other's. */
static uint64_t shared_out(const struct rl_bench_configuration *configuration, unsigned blocks, uint64_t bytes)
{
    const uint64_t part = chunk(configuration) * (blocks > 0 ? blocks : 1);
    assert(part > 0);
    return bytes / part * part;
}

static enum rl_status check_card(const struct rl_bench_configuration *configuration, const struct rl_bench_card *card,
                                 struct rl_err *err)
{
    struct rl_err why = {0};
    const struct rl_built_need need = {configuration->min_cc, configuration->min_toolkit};
    if (rl_built_check_card(&card->built, need, card->cc, &why) != RL_OK)
        return rl_err_set(err, RL_UNSUPPORTED, "%s %s", configuration->kernel, why.text);
    if (configuration->max_cc > 0 && card->cc > configuration->max_cc)
        return rl_err_set(err, RL_UNSUPPORTED, "%s is for compute capability %d.%d at most, this GPU has %d.%d",
                          configuration->kernel, configuration->max_cc / 10, configuration->max_cc % 10, card->cc / 10,
                          card->cc % 10);
    return RL_OK;
}

enum rl_status rl_bench_resolve(const struct rl_bench *bench, const struct rl_bench_configuration *configuration,
                                const struct rl_bench_card *card, struct rl_bench_case *c, struct rl_err *err)
{
    RL_TRY(check_card(configuration, card, err));
    *c = (struct rl_bench_case){.bench = bench, .configuration = configuration, .block = (unsigned)configuration->threads};
    c->grid = (unsigned)(configuration->blocks * card->sm_count);
    unsigned blocks = c->grid;
    const uint64_t most = configuration->family == RL_BENCH_link ? card->host_bytes : card->buffer_bytes;
    uint64_t bytes = configuration->bytes ? configuration->bytes : (uint64_t)(configuration->caches * (double)card->l2_bytes);
    if (configuration->caches >= 1)
        bytes = power_of_two_at_least(bytes);
    bytes = bytes < most ? bytes : most;
    c->bytes = configuration->caches > 0 ? shared_out(configuration, blocks, bytes) : bytes;
    if (c->grid == 0)
        c->grid = configuration->caches > 0 ? (unsigned)(c->bytes / chunk(configuration)) : 1;
    c->step = configuration->step ? (uint64_t)configuration->step : 1;
    c->rounds = c->step;
    if (configuration->caches > 0 && c->bytes == 0)
        return rl_err_set(err, RL_UNSUPPORTED, "%s: %s", configuration->kernel,
                          card->l2_bytes == 0 ? "the size of the L2 cache is unknown"
                                              : "the blocks read more at a time than that share of the L2 cache");
    return RL_OK;
}

void rl_bench_make_small(struct rl_bench_case *c)
{
    const bool in_chunks = c->configuration->caches > 0;
    const uint64_t most = in_chunks ? CHECK_BYTES / chunk(c->configuration) : 0;
    c->rounds = 2 * c->step;
    if (c->bytes <= CHECK_BYTES)
        return;
    if (in_chunks && (c->configuration->blocks == 0 || c->grid > most))
        c->grid = (unsigned)most;
    c->bytes = in_chunks ? shared_out(c->configuration, c->grid, CHECK_BYTES) : CHECK_BYTES;
}

static struct rl_value lookup(void *context, const char *name)
{
    const struct rl_bench_case *c = context;
    const struct rl_bench_configuration *configuration = c->configuration;
    const struct {
        const char *name;
        double value;
    } names[] = {
        {"s", (double)c->bytes},      {"g", c->grid},           {"t", c->block},
        {"u", configuration->unroll}, {"r", (double)c->rounds}, {"m", configuration->m},
        {"n", configuration->n},      {"k", configuration->k},  {"p", configuration->group},
    };
    const size_t at = RL_FIRST(i, RL_COUNT(names), strcmp(names[i].name, name) == 0);
    return at < RL_COUNT(names) ? rl_value_of(names[at].value)
                                : rl_value_missing(RL_VALUE_FAILED, "unknown name in the amount of work");
}

static struct rl_formula *parse(const struct rl_bench_case *c)
{
    struct rl_formula *formula = NULL;
    const enum rl_status status = rl_formula_parse(c->bench->work, &formula, NULL);
    assert(status == RL_OK); /* rows are ours, and tested */
    (void)status;
    return formula;
}

double rl_bench_work(const struct rl_bench_case *c)
{
    struct rl_formula *formula = parse(c);
    const struct rl_value work = rl_formula_eval(formula, lookup, (void *)c, NULL);
    rl_formula_free(formula);
    assert(rl_present(work));
    return work.v;
}

bool rl_bench_has_rounds(const struct rl_bench_case *c)
{
    struct rl_formula *formula = parse(c);
    const char *const *names;
    const size_t count = rl_formula_names(formula, &names);
    bool found = RL_ANY(i, count, strcmp(names[i], "r") == 0);
    rl_formula_free(formula);
    return found && c->configuration->family != RL_BENCH_cublas;
}

void rl_bench_set_duration(struct rl_bench_case *c, double duration_ns, double target_ns)
{
    assert(target_ns > 0 && c->step > 0);
    static const double most = 1e9; /* rounds, whatever the clock says */
    const double wanted = duration_ns > 0 ? (double)c->rounds * target_ns / duration_ns : (double)c->rounds;
    const double steps = floor(fmin(wanted, most) / (double)c->step);
    if (rl_bench_has_rounds(c))
        c->rounds = steps < 1 ? c->step : (uint64_t)steps * c->step;
}

/* Settings that are members of a configuration. */
static const struct {
    const char *key;
    size_t member; /* an int */
} numbers[] = {
    {"threads_per_block", offsetof(struct rl_bench_configuration, threads)},
    {"blocks_per_sm", offsetof(struct rl_bench_configuration, blocks)},
    {"vectors_per_thread", offsetof(struct rl_bench_configuration, unroll)},
    {"vectors_in_flight_per_thread", offsetof(struct rl_bench_configuration, unroll)},
    {"in_flight_per_thread", offsetof(struct rl_bench_configuration, unroll)},
    {"chains_per_thread", offsetof(struct rl_bench_configuration, unroll)},
    {"warp_rows", offsetof(struct rl_bench_configuration, m)},
    {"warp_columns", offsetof(struct rl_bench_configuration, n)},
    {"warp_depth", offsetof(struct rl_bench_configuration, k)},
    {"warp_group_rows", offsetof(struct rl_bench_configuration, m)},
    {"warp_group_columns", offsetof(struct rl_bench_configuration, n)},
    {"warp_group_depth", offsetof(struct rl_bench_configuration, k)},
    {"rows", offsetof(struct rl_bench_configuration, m)},
    {"columns", offsetof(struct rl_bench_configuration, n)},
    {"depth", offsetof(struct rl_bench_configuration, k)},
};

static struct rl_setting text_setting(const char *key, const char *text)
{
    return (struct rl_setting)RL_TEXT_SETTING(key, text);
}

static struct rl_setting setting_of(const struct rl_bench_case *c, const char *key)
{
    const char *configuration = (const char *)c->configuration;
    for (size_t i = 0; i < RL_COUNT(numbers); i++)
        if (strcmp(numbers[i].key, key) == 0) {
            int number;
            memcpy(&number, configuration + numbers[i].member, sizeof number);
            return (struct rl_setting)RL_NUMBER_SETTING(key, COUNT, number);
        }
    if (strcmp(key, "data_bytes") == 0)
        return (struct rl_setting)RL_NUMBER_SETTING(key, BYTE, (double)c->bytes);
    if (strcmp(key, "memory") == 0)
        return text_setting(key, "page-locked");
    assert(strcmp(key, "kernel") == 0 || strcmp(key, RL_KEY_LIBRARY) == 0); /* rows are ours, and tested */
    return text_setting(key, c->configuration->kernel);
}

size_t rl_bench_settings(const struct rl_bench_case *c, struct rl_setting settings[RL_BENCH_MAX_SETTINGS])
{
    const char *const *keys = family_keys[c->configuration->family];
    size_t count = 0;
    for (; keys[count]; count++)
        settings[count] = setting_of(c, keys[count]);
    return count;
}

void rl_bench_text(const struct rl_bench_case *c, struct rl_buf *out)
{
    struct rl_setting settings[RL_BENCH_MAX_SETTINGS];
    rl_settings_text(settings, rl_bench_settings(c, settings), out);
}

#include "targets.h"

#include "analysis/plan.h"
#include "import/import.h"

/* ---- the table ---- */

static const struct row {
    enum rl_tool tool;
    const char *name, *label;
    enum rl_destination destination;
    const char *target;
    enum rl_dimension dimension;
    double scale;
    const char *zero;
} rows[] = {
#define FOREIGN(...) {__VA_ARGS__},
#include "foreign.def"
#undef FOREIGN
};

static const char *const launch_fields[] = {
#define X(id) #id,
    RL_LAUNCH_FIELDS(X)
#undef X
};

/* Dimensions besides its own that a row's value may be printed in: names of counted things vary, and many have no unit at all. */
static bool accepts(enum rl_dimension wanted, enum rl_dimension printed)
{
    static const bool also[][RL_DIMENSION_UNKNOWN + 1] = {
        [RL_DIMENSION_COUNT] = {[RL_DIMENSION_CYCLE] = true, [RL_DIMENSION_RATIO] = true},
        [RL_DIMENSION_CYCLE] = {[RL_DIMENSION_COUNT] = true},
        [RL_DIMENSION_RATIO] = {[RL_DIMENSION_COUNT] = true},
        [RL_DIMENSION_BYTE] = {[RL_DIMENSION_RATIO] = true},
        [RL_DIMENSION_UNKNOWN] = {false},
    };

    return printed == wanted || printed == RL_DIMENSION_NONE || also[wanted][printed];
}

/* Units of Nsight Compute's counters per base unit: nanoseconds, percent; otherwise 1. */
static double vendor_scale(enum rl_dimension dimension)
{
    return dimension == RL_DIMENSION_SECOND ? 1e9 : dimension == RL_DIMENSION_FRACTION ? 100 : 1;
}

/* A value without a unit. Nsight Compute's are in the unit that its counters count in: percent, nanoseconds; nvprof prints shares
 * as fractions, or with the sign. */
static double bare_factor(const struct row *row, const struct rl_printed *printed)
{
    return printed->tool == RL_TOOL_NCU ? 1 / vendor_scale(row->dimension) : 1;
}

/* ---- weights ---- */

enum match { IS, ENDS, HAS };
#define TIME    "time"
#define LOOKUPS "look-ups"
static const struct {
    enum match match;
    const char *name;
    enum rl_dimension dimension;
    const char *by[6]; /* ends with NULL */
} weights[] = {
#define WEIGHT(match, name, dimension, ...) {match, name, dimension, {__VA_ARGS__}},
#define WORK(kind, name)
#include "weights.def"
#undef WEIGHT
#undef WORK
};
static const struct {
    enum rl_work kind;
    const char *name;
} works[] = {
#define WEIGHT(...)
#define WORK(kind, name) {RL_WORK_##kind, name},
#include "weights.def"
#undef WEIGHT
#undef WORK
};

static bool ends_with(struct rl_text text, const char *end)
{
    const size_t len = strlen(end);

    return text.len >= len && memcmp(text.at + text.len - len, end, len) == 0;
}

static bool fits(size_t row, struct rl_text name, enum rl_dimension dimension)
{
    const char *wanted = weights[row].name;

    if (weights[row].dimension != RL_DIMENSION_UNKNOWN && weights[row].dimension != dimension)
        return false;
    return weights[row].match == IS     ? rl_text_is(name, wanted)
           : weights[row].match == ENDS ? ends_with(name, wanted)
                                        : rl_text_find(name, wanted) < name.len;
}

/* The number of what a value may be weighted by, a new one when it is seen first: TIME and LOOKUPS are the first two. */
static uint8_t token_of(struct rl_targets *targets, const char *name)
{
    if (targets->tokens.count == 0) {
        rl_pool_add(&targets->tokens, rl_text_of(TIME));
        rl_pool_add(&targets->tokens, rl_text_of(LOOKUPS));
        for (size_t i = 0; i < RL_COUNT(weights); i++)
            for (size_t j = 0; j < RL_COUNT(weights[i].by); j++)
                targets->weights[i][j] =
                    weights[i].by[j] ? (uint8_t)rl_pool_add(&targets->tokens, rl_text_of(weights[i].by[j])) : RL_MAX_TOKENS;
        assert(targets->tokens.count < RL_MAX_TOKENS && RL_COUNT(weights) <= RL_COUNT(targets->weights)); /* rows are ours */
    }
    uint32_t number;
    return rl_pool_find(&targets->tokens, rl_text_of(name), &number) ? (uint8_t)(number + 1) : 0;
}

const uint8_t *rl_targets_weights(const struct rl_targets *targets, size_t slot)
{
    assert(slot < targets->slot_keys.count);
    return targets->slots[slot].weight ? targets->weights[targets->slots[slot].weight - 1] : NULL;
}

/* "lts__t_sectors.sum" of "lts__t_sector_hit_rate.pct": 1 + its slot, 0 while there is none. */
static uint32_t find_lookups(struct rl_targets *targets, const char *name)
{
    static const char end[] = "_hit_rate.pct", one[] = "_sector";
    const struct rl_text text = rl_text_of(name);
    const size_t sector = rl_text_find(text, one);
    RL_SCRATCH total = RL_BUF_INIT;
    uint32_t slot = 0;
    bool known = false;

    if (!ends_with(text, end))
        return 0;
    rl_buf_add(&total, text.at, text.len - strlen(end));
    if (sector < text.len) {
        rl_buf_truncate(&total, sector + strlen(one));
        rl_buf_addf(&total, "s%.*s", (int)(text.len - strlen(end) - sector - strlen(one)), text.at + sector + strlen(one));
    }
    rl_buf_adds(&total, ".sum");
    known = rl_targets_find_slot(targets, RL_COUNTER, total.data, &slot) ||
            rl_targets_find_slot(targets, RL_FOREIGN, total.data, &slot);
    return known ? slot + 1 : 0;
}

uint32_t rl_targets_lookups(struct rl_targets *targets, size_t number)
{
    struct rl_slot *slot = &targets->slots[number];

    if (!slot->lookups && slot->sought != targets->slot_keys.count) { /* a hit rate and its look-ups come in any order */
        slot->lookups = find_lookups(targets, slot->name);
        slot->sought = (uint32_t)targets->slot_keys.count;
    }
    return slot->lookups;
}

/* Fills in what the slot's name says of its values. */
static void describe(struct rl_targets *targets, struct rl_slot *slot, enum rl_dimension dimension)
{
    const struct rl_text name = rl_text_of(slot->name);

    slot->token = token_of(targets, slot->name);
    slot->kept = slot->merge == RL_MERGE_MEAN && (slot->kind != RL_FOREIGN || rl_derivations_use(name));
    _Static_assert(RL_COUNT(works) <= 64, "a bit each");
    for (size_t i = 0; i < RL_COUNT(works) && !slot->work; i++) {
        slot->work = rl_text_is(name, works[i].name) ? (uint8_t)(works[i].kind + 1) : 0;
        slot->summand = (uint8_t)i;
    }
    for (size_t i = 0; i < RL_COUNT(weights) && !slot->weight && slot->merge == RL_MERGE_MEAN; i++)
        slot->weight = fits(i, name, dimension) ? (uint8_t)(i + 1) : 0;
}

/* ---- slots ---- */

static void slot_key(const struct rl_slot *slot, struct rl_buf *key)
{
    rl_buf_addf(key, "%d %u %d ", (int)slot->kind, slot->rank, (int)slot->merge);
    rl_buf_adds(key, slot->name);
}

static bool find_key(const struct rl_targets *targets, const struct rl_slot *slot, uint32_t *number)
{
    assert(slot->name);
    RL_SCRATCH key = RL_BUF_INIT;

    slot_key(slot, &key);
    const bool found = rl_pool_find(&targets->slot_keys, (struct rl_text){key.data, key.len}, number);
    return found;
}

bool rl_targets_find_slot(const struct rl_targets *targets, enum rl_counter_kind kind, const char *name, uint32_t *slot)
{
    return find_key(targets, &(struct rl_slot){.kind = kind, .name = name}, slot);
}

bool rl_targets_find_computed(const struct rl_targets *targets, const char *metric, uint32_t *slot)
{
    return find_key(targets, &(struct rl_slot){.kind = RL_METRIC_VALUE, .name = metric, .rank = RL_COMPUTED}, slot);
}

static size_t find_slot(struct rl_targets *targets, const struct rl_slot *slot, enum rl_dimension dimension)
{
    const size_t known = targets->slot_keys.count;
    RL_SCRATCH key = RL_BUF_INIT;

    slot_key(slot, &key);
    uint32_t number = rl_pool_add(&targets->slot_keys, (struct rl_text){key.data, key.len});
    if (number < known)
        return number;
    RL_GROW(targets->slots, targets->slot_keys.count, targets->slot_cap);
    struct rl_text text = rl_pool_text(&targets->slot_keys, number);
    targets->slots[number] = *slot;
    targets->slots[number].item = UINT32_MAX;
    targets->slots[number].name = text.at + (text.len - strlen(slot->name)); /* the pool keeps it */
    describe(targets, &targets->slots[number], dimension);
    return number;
}

/* The slot of a counter or foreign name, a new one when there is none. */
static size_t slot_of(struct rl_targets *targets, enum rl_counter_kind kind, const char *name, enum rl_dimension dimension)
{
    assert(name);
    return find_slot(targets, &(struct rl_slot){.kind = kind, .name = name, .printed = NULL}, dimension);
}

size_t rl_targets_computed(struct rl_targets *targets, enum rl_counter_kind kind, const char *name)
{
    assert(name);
    return find_slot(targets, &(struct rl_slot){.kind = kind, .name = name, .rank = RL_COMPUTED}, RL_DIMENSION_NONE);
}

size_t rl_targets_slot_count(const struct rl_targets *targets)
{
    return targets->slot_keys.count;
}

/* ---- routes ---- */

static void add_route(struct rl_target *target, enum rl_destination destination, size_t number, double factor)
{
    assert(target->count < RL_MAX_ROUTES);
    target->routes[target->count++] = (struct rl_route){destination, number, factor};
}

static size_t index_of(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0)
        i++;
    assert(i < count); /* rows are ours, and tested */
    return i;
}

size_t rl_targets_fact(const char *id)
{
    size_t i = 0;

    while (i < RL_FACT_COUNT && strcmp(rl_facts[i].id, id) != 0)
        i++;
    assert(i < RL_FACT_COUNT); /* rows are ours, and tested */
    return i;
}

/* A metric is stored in the unit of its row, a counter in the vendor's. */
static void route_row(struct rl_targets *targets, const struct row *row, const struct rl_printed *printed,
                      struct rl_printed_unit unit, struct rl_target *target)
{
    const double bare = unit.dimension == RL_DIMENSION_NONE ? bare_factor(row, printed) : unit.factor;
    double factor = bare * row->scale;
    size_t number = 0;

    if (row->destination == RL_TO_METRIC)
        number = find_slot(targets,
                           &(struct rl_slot){RL_METRIC_VALUE, row->target, row->name, (unsigned)(row - rows), unit.factor / factor,
                                             RL_MERGE_MEAN, row->zero},
                           row->dimension);
    else if (row->destination == RL_TO_COUNTER)
        number = slot_of(targets, RL_COUNTER, row->target, row->dimension);
    else if (row->destination == RL_TO_FOREIGN)
        number = slot_of(targets, RL_FOREIGN, row->target, row->dimension);
    else if (row->destination == RL_TO_FACT)
        number = rl_targets_fact(row->target);
    else if (row->destination == RL_TO_LAUNCH)
        number = index_of(launch_fields, RL_COUNT(launch_fields), row->target);
    if (row->destination == RL_TO_COUNTER)
        factor *= vendor_scale(unit.dimension);
    add_route(target, row->destination, number, factor);
}

static const struct row *row_of(const struct rl_printed *printed, enum rl_dimension dimension)
{
    for (size_t i = 0; i < RL_COUNT(rows) && printed->merge == RL_MERGE_MEAN; i++)
        if (rows[i].tool == printed->tool &&
            (rl_text_is(printed->name, rows[i].name) || (rows[i].label && rl_text_is(printed->name, rows[i].label))) &&
            accepts(rows[i].dimension, dimension))
            return &rows[i];
    return NULL;
}

/* The details page has labels, and some of them in several sections; counters' names ("a__b") are unique. */
static void foreign_name(const struct rl_printed *printed, enum rl_dimension dimension, struct rl_buf *out)
{
    static const char *const endings[] = {[RL_MERGE_MEAN] = "", [RL_MERGE_LEAST] = ".min", [RL_MERGE_GREATEST] = ".max"};

    if (printed->section.len && rl_text_find(printed->name, "__") == printed->name.len) {
        rl_buf_add(out, printed->section.at, printed->section.len);
        rl_buf_adds(out, ": ");
    }
    rl_buf_add(out, printed->name.at, printed->name.len);
    rl_buf_adds(out, endings[printed->merge]);
    if (dimension == RL_DIMENSION_UNKNOWN) {
        rl_buf_adds(out, " [");
        rl_buf_add(out, printed->unit.at, printed->unit.len);
        rl_buf_adds(out, "]");
    }
}

/* The counters that our formulas need. Collecting them takes a while, so it waits until Nsight Compute's names come. */
static const struct rl_pool *counters_of(struct rl_targets *targets)
{
    struct rl_plan plan;

    if (targets->counters.count)
        return &targets->counters;
    rl_plan_make(NULL, RL_SETS_ALL, &plan);
    for (size_t i = 0; i < plan.configuration_count; i++)
        for (size_t j = 0; j < plan.configurations[i].counter_count; j++)
            rl_pool_add(&targets->counters, rl_text_of(plan.configurations[i].counters[j]));
    rl_plan_release(&plan);
    return &targets->counters;
}

/* The fate of the numbers of a target, for the ledger. */
static void describe_target(struct rl_targets *targets, const struct rl_printed *printed, struct rl_target *target)
{
    static const char *const words[] = {
        [RL_TO_METRIC] = "metric", [RL_TO_COUNTER] = "counter", [RL_TO_FOREIGN] = "for what follows from",
        [RL_TO_FACT] = "card",     [RL_TO_LAUNCH] = "launch",   [RL_TO_DURATION] = "duration",
        [RL_TO_CARD] = "GPU: name"};
    RL_SCRATCH text = RL_BUF_INIT;

    foreign_name(printed, RL_DIMENSION_NONE, &text);
    target->item = rl_ledger_item(&targets->ledger, (struct rl_text){text.data, text.len});
    rl_buf_reset(&text);
    target->fate = RL_FATE_FOREIGN;
    for (size_t i = 0; i < target->count; i++) {
        const struct rl_route *route = &target->routes[i];
        const bool slot =
            route->destination == RL_TO_METRIC || route->destination == RL_TO_COUNTER || route->destination == RL_TO_FOREIGN;
        if (slot && targets->slots[route->number].item == UINT32_MAX && targets->slots[route->number].rank != RL_COMPUTED)
            targets->slots[route->number].item = target->item;
        if (route->destination == RL_TO_FOREIGN && !rl_derivations_use(rl_text_of(targets->slots[route->number].name)))
            continue;
        const bool scaled = route->factor < 1 || route->factor > 1;
        target->fate = scaled ? RL_FATE_SCALED : RL_FATE_USED;
        rl_buf_addf(&text, "%s%s", text.len ? ", " : "", words[route->destination]);
        if (slot)
            rl_buf_addf(&text, " %s", targets->slots[route->number].name);
        else if (route->destination == RL_TO_FACT)
            rl_buf_addf(&text, ": %s", rl_facts[route->number].label);
        else if (route->destination == RL_TO_LAUNCH)
            rl_buf_addf(&text, ": %s", launch_fields[route->number]);
        if (scaled)
            rl_buf_addf(&text, " x %.6g", route->factor);
    }
    if (target->fate == RL_FATE_FOREIGN)
        rl_buf_adds(&text, "no meaning for rooflight");
    target->where = rl_arena_strndup(&targets->ledger.texts, text.data, text.len);
    target->unit =
        (struct rl_text){rl_arena_strndup(&targets->ledger.texts, printed->unit.at, printed->unit.len), printed->unit.len};
}

static struct rl_target resolve(struct rl_targets *targets, const struct rl_printed *printed)
{
    const struct rl_printed_unit unit = rl_unit_read(printed->unit, printed->prefixes);
    const struct row *row = row_of(printed, unit.dimension);
    struct rl_target target = {.count = 0};
    uint32_t number;

    if (row)
        route_row(targets, row, printed, unit, &target);
    if (printed->tool == RL_TOOL_NCU && printed->merge == RL_MERGE_MEAN &&
        rl_pool_find(counters_of(targets), printed->name, &number))
        add_route(&target, RL_TO_COUNTER, slot_of(targets, RL_COUNTER, rl_pool_text(&targets->counters, number).at, unit.dimension),
                  unit.factor * vendor_scale(unit.dimension));
    if (target.count == 0 || (row && row->destination == RL_TO_FOREIGN)) {
        RL_SCRATCH name = RL_BUF_INIT;
        foreign_name(printed, unit.dimension, &name);
        if (unit.dimension == RL_DIMENSION_UNKNOWN)
            rl_notes_add(targets->notes, RL_NOTE_unit, (struct rl_text){name.data, name.len});
        add_route(
            &target, RL_TO_FOREIGN,
            find_slot(targets, &(struct rl_slot){.kind = RL_FOREIGN, .name = name.data, .merge = printed->merge}, unit.dimension),
            unit.factor);
    }
    describe_target(targets, printed, &target);
    return target;
}

/* ---- by name ---- */

static void add_piece(struct rl_buf *key, struct rl_text text)
{
    rl_buf_addch(key, '\x1f');
    rl_buf_add(key, text.at, text.len);
}

size_t rl_targets_of(struct rl_targets *targets, const struct rl_printed *printed)
{
    const size_t known = targets->keys.count;
    struct rl_buf *key = &targets->key;
    uint32_t number;

    rl_buf_reset(key);
    rl_buf_addch(key, (char)('a' + 8 * (int)printed->tool + 4 * (int)printed->prefixes + (int)printed->merge));
    add_piece(key, printed->section);
    add_piece(key, printed->name);
    add_piece(key, printed->unit);
    if (rl_pool_find(&targets->keys, (struct rl_text){key->data, key->len}, &number))
        return number;
    if (known >= RL_IMPORT_MAX_NAMES) {
        rl_notes_add(targets->notes, RL_NOTE_too_many_names, printed->name);
        return 0;
    }
    number = rl_pool_add(&targets->keys, (struct rl_text){key->data, key->len});
    RL_GROW(targets->targets, targets->keys.count, targets->target_cap);
    targets->targets[number] = resolve(targets, printed);
    return number;
}

const struct rl_target *rl_targets_at(const struct rl_targets *targets, size_t number)
{
    assert(number < targets->keys.count);
    return &targets->targets[number];
}

/* ---- life ---- */

void rl_targets_init(struct rl_targets *targets, struct rl_notes *notes)
{
    *targets = (struct rl_targets){.notes = notes};
    rl_buf_init(&targets->key);
    RL_GROW(targets->targets, 1, targets->target_cap);
    targets->targets[rl_pool_add(&targets->keys, rl_text_of(""))] = /* number 0: goes nowhere */
        (struct rl_target){.item = rl_ledger_item(&targets->ledger, rl_text_of("(other metrics)")), .where = "", .unit = {"", 0}};
}

void rl_targets_release(struct rl_targets *targets)
{
    rl_ledger_release(&targets->ledger);
    rl_pool_release(&targets->counters);
    rl_pool_release(&targets->keys);
    rl_pool_release(&targets->slot_keys);
    rl_pool_release(&targets->tokens);
    RL_FREE(targets->targets, targets->slots);
    rl_buf_release(&targets->key);
}

#include "model.h"

#include "each.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/utf8.h"
#include "import/import.h"

enum { MAX_CARDS = 256 };
static const uint64_t greatest = (1ull << 62) - 1; /* whole number in a capture */
static const double longest_s = 1e9;               /* of a kernel: thirty years */

const char *rl_timing_text(enum rl_timing timing)
{
    assert(timing < RL_TIMING_COUNT);
    static const char *const texts[RL_TIMING_COUNT] = {
        [RL_TIMING_NVPROF_SUMMARY] = "nvprof summary (average)",
        [RL_TIMING_NSYS_SUMMARY] = "nsys summary (average)",
        [RL_TIMING_NCU_SUMMARY] = "ncu summary (average, under the profiler)",
        [RL_TIMING_NCU] = "ncu (under the profiler)",
        [RL_TIMING_TRACE] = "nvprof GPU trace",
        [RL_TIMING_NSYS_TRACE] = "nsys GPU trace",
    };

    return texts[timing];
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return a > greatest || b > greatest - a ? greatest : a + b;
}

/* ---- life ---- */

void rl_model_init(struct rl_model *model)
{
    *model = (struct rl_model){.open = false, .printed = UINT32_MAX};
    rl_targets_init(&model->targets, &model->notes);
    rl_pool_add(&model->runs, rl_text_of(""));
    model->derivations = rl_derivations_new();
}

void rl_model_release(struct rl_model *model)
{
    for (size_t i = 0; i < model->class_count; i++)
        free(model->classes[i].samples);
    for (size_t i = 0; i < model->card_count; i++)
        free(model->cards[i].name);
    free(model->classes);
    free(model->cards);
    free(model->published);
    free(model->entries);
    free(model->entry_of.slots);
    free(model->launch.values);
    rl_pool_release(&model->names);
    rl_pool_release(&model->class_keys);
    rl_pool_release(&model->runs);
    free(model->record_of.slots);
    free(model->records);
    free(model->at);
    rl_targets_release(&model->targets);
    rl_derivations_free(model->derivations);
    rl_notes_release(&model->notes);
}

void rl_model_source(struct rl_model *model, enum rl_tool tool, const char *label)
{
    size_t i = 0;

    while (i < model->source_count && strcmp(model->sources[i].label, label) != 0)
        i++;
    if (i == model->source_count) {
        assert(i < RL_MAX_SOURCES); /* labels come from a table with fewer rows */
        model->sources[model->source_count++] = (struct rl_source){label, tool};
    }
    model->source = i;
}

/* ---- cards ---- */

/* One may be cut where a printed table has no more room. */
static bool same_name(const char *known, struct rl_text name)
{
    const size_t len = known ? strlen(known) : 0, shorter = len < name.len ? len : name.len;

    return shorter == 0 || memcmp(known, name.at, shorter) == 0;
}

static void keep_longer_name(struct rl_card *card, struct rl_text name)
{
    if (name.len <= (card->name ? strlen(card->name) : 0))
        return;
    free(card->name);
    card->name = rl_strndup(name.at, name.len);
}

uint32_t rl_model_run(struct rl_model *model, struct rl_text process, struct rl_text host)
{
    enum { MOST = 64 };
    struct rl_buf text = RL_BUF_INIT;
    uint32_t run;

    if (process.len) {
        rl_buf_adds(&text, "process ");
        rl_utf8_printable(&text, process.at, process.len < MOST ? process.len : MOST);
        rl_buf_adds(&text, host.len ? " on " : "");
        rl_utf8_printable(&text, host.at, host.len < MOST ? host.len : MOST);
    }
    run = rl_pool_add(&model->runs, (struct rl_text){text.data, text.len});
    rl_buf_release(&text);
    return run;
}

size_t rl_model_card(struct rl_model *model, int ordinal, struct rl_text name, struct rl_text host, int capability)
{
    const uint32_t on = rl_pool_add(&model->runs, host); /* never shown */
    struct rl_card *card;

    for (size_t i = 0; i < model->card_count; i++) {
        card = &model->cards[i];
        const int known = 10 * card->cc_major + card->cc_minor;
        if ((card->ordinal < 0 || ordinal < 0 || card->ordinal == ordinal) && same_name(card->name, name) &&
            (!card->host || !on || card->host == on) && (!known || !capability || known == capability)) {
            card->ordinal = card->ordinal < 0 ? ordinal : card->ordinal;
            card->host = card->host ? card->host : on;
            card->cc_major = known ? card->cc_major : capability / 10;
            card->cc_minor = known ? card->cc_minor : capability % 10;
            keep_longer_name(card, name);
            return i;
        }
    }
    if (model->card_count == MAX_CARDS)
        return RL_NONE;
    RL_GROW(model->cards, model->card_count + 1, model->card_cap);
    card = &model->cards[model->card_count];
    *card = (struct rl_card){.ordinal = ordinal, .cc_major = capability / 10, .cc_minor = capability % 10, .host = on};
    for (size_t i = 0; i < RL_FACT_COUNT; i++)
        card->fact[i] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    keep_longer_name(card, name);
    return model->card_count++;
}

/* A value that differs from one that is there by more than rounding does. */
static bool contradicts(double known, double value)
{
    return fabs(value - known) > 0.005 * fmax(fabs(value), fabs(known));
}

/* The value does not count, because another one of the same quantity does. */
static void contradict(struct rl_model *model, const char *by)
{
    if (model->printed != UINT32_MAX)
        rl_ledger_move(&model->targets.ledger, model->printed, RL_FATE_CONTRADICTED, 1, by);
}

/* The first value that a capture can hold stays. */
static void take_fact(struct rl_model *model, size_t fact, double value)
{
    assert(fact < RL_FACT_COUNT);
    const double most = rl_facts[fact].unit == RL_UNIT_COUNT ? 2147483647.0 : 9007199254740992.0;
    struct rl_value *known;

    if (model->launch.card == RL_NONE || !(value >= 0 && value <= most))
        return;
    known = &model->cards[model->launch.card].fact[fact];
    if (!rl_present(*known))
        *known = rl_value_of(value);
    else if (contradicts(known->v, value))
        contradict(model, "the first value for this card");
}

/* ---- a launch ---- */

struct rl_launch *rl_model_begin(struct rl_model *model, struct rl_text name, enum rl_timing timing)
{
    struct rl_launch *launch = &model->launch;
    struct rl_launch fresh = {
        .card = RL_NONE, .number = RL_NO_NUMBER, .launches = 1, .timing = timing, .duration_s = NAN, .total_s = NAN};

    rl_model_end(model);
    fresh.values = launch->values;
    fresh.value_cap = launch->value_cap;
    for (size_t i = 0; i < RL_LAUNCH_FIELD_COUNT; i++)
        fresh.fields[i] = NAN;
    for (size_t i = 0; i < RL_MAX_TOKENS; i++)
        fresh.weights[i] = NAN;
    *launch = fresh;
    launch->name = rl_pool_add(&model->names, name);
    model->open = true;
    model->serial++;
    return launch;
}

static void push(struct rl_model *model, size_t slot, double value, uint8_t missing)
{
    struct rl_launch *launch = &model->launch;
    const size_t known = model->at_cap;

    RL_GROW(model->at, slot + 1, model->at_cap);
    memset(model->at + known, 0, (model->at_cap - known) * sizeof *model->at);
    if (!model->at[slot])
        model->at[slot] = (uint32_t)launch->value_count + 1;
    else if (!missing && contradicts(launch->values[model->at[slot] - 1].value, value))
        contradict(model, "the first value for this launch");
    if (model->targets.slots[slot].token && !missing)
        launch->weights[model->targets.slots[slot].token - 1] = value;
    RL_GROW(launch->values, launch->value_count + 1, launch->value_cap);
    launch->values[launch->value_count++] = (struct rl_launch_value_){(uint32_t)slot, missing, value};
}

static void take_slot(struct rl_model *model, size_t slot, double value)
{
    assert(slot < rl_targets_slot_count(&model->targets));
    const bool doubtful = value == 0 && model->targets.slots[slot].zero;
    const bool negative = value < 0 && model->targets.slots[slot].kind != RL_FOREIGN;

    if (isfinite(value))
        push(model, slot, value, doubtful ? RL_MISSING_ZERO : negative ? 1 + RL_MISSING_NEGATIVE : 0);
}

static void take_field(struct rl_model *model, size_t field, double value)
{
    assert(field < RL_LAUNCH_FIELD_COUNT);
    model->launch.fields[field] = value;
}

static void take_duration(struct rl_model *model, size_t unused, double value)
{
    (void)unused;
    if (contradicts(isnan(model->launch.duration_s) ? value : model->launch.duration_s, value))
        contradict(model, "the duration that the launch has already");
    model->launch.duration_s = value;
}

static void (*const takers[])(struct rl_model *, size_t number, double value) = {
    [RL_TO_METRIC] = take_slot,  [RL_TO_COUNTER] = take_slot,      [RL_TO_FOREIGN] = take_slot, [RL_TO_FACT] = take_fact,
    [RL_TO_LAUNCH] = take_field, [RL_TO_DURATION] = take_duration, [RL_TO_CARD] = NULL,
};

static void take(struct rl_model *model, const struct rl_route *route, const struct rl_cell *cell)
{
    void (*const taker)(struct rl_model *, size_t, double) = takers[route->destination];

    if (cell->kind == RL_CELL_NUMBER && taker)
        taker(model, route->number, cell->number * route->factor);
    else if (cell->kind == RL_CELL_MISSING && taker == take_slot)
        push(model, route->number, 0, (uint8_t)(cell->missing + 1));
    else if (cell->kind == RL_CELL_MISSING && taker == take_duration)
        rl_notes_add(&model->notes, RL_NOTE_duration, rl_pool_text(&model->names, model->launch.name));
}

static bool is_card_name(const struct rl_target *target)
{
    return target->count && target->routes[0].destination == RL_TO_CARD;
}

static void take_words(struct rl_model *model, const struct rl_target *target, struct rl_text text)
{
    const bool card = is_card_name(target);

    if (card && model->launch.card != RL_NONE)
        keep_longer_name(&model->cards[model->launch.card], text);
    else if (!card)
        rl_notes_add(&model->notes, text.len && text.at[0] >= '0' && text.at[0] <= '9' ? RL_NOTE_no_number : RL_NOTE_words, text);
}

/* Enters the value in the ledger. */
static void enter(struct rl_model *model, const struct rl_target *to, const struct rl_cell *cell, struct rl_text text)
{
    struct rl_ledger *ledger = &model->targets.ledger;
    const bool card = is_card_name(to) && cell->kind != RL_CELL_MISSING;

    if (card)
        rl_ledger_count(ledger, to->item, RL_FATE_USED, 1, text, to->unit, to->where);
    else if (to->count == 0)
        rl_ledger_count(ledger, to->item, RL_FATE_IGNORED, 1, text, to->unit, rl_notes_words(RL_NOTE_too_many_names));
    else if (cell->kind == RL_CELL_NUMBER)
        rl_ledger_count(ledger, to->item, to->fate, 1, text, cell->unit.len ? rl_text_of("") : to->unit, to->where);
    else
        rl_ledger_count(ledger, to->item, RL_FATE_IGNORED, 1, text, to->unit,
                        cell->kind == RL_CELL_WORDS ? "words" : "the tool gives no number");
}

void rl_model_add_value(struct rl_model *model, size_t target, const struct rl_cell *cell, struct rl_text text)
{
    const struct rl_target *to = rl_targets_at(&model->targets, target);

    assert(model->open);
    enter(model, to, cell, text);
    model->printed = to->item;
    if (cell->kind == RL_CELL_WORDS)
        take_words(model, to, text);
    for (size_t i = 0; i < to->count; i++)
        take(model, &to->routes[i], cell);
    model->printed = UINT32_MAX;
}

/* ---- its class ---- */

static bool whole(double value, double most)
{
    return value >= 0 && value <= most;
}

static bool extent_of(const double *fields, const double *product, uint32_t extent[3])
{
    for (int i = 0; i < 3; i++)
        extent[i] = whole(fields[i], UINT32_MAX) ? (uint32_t)fields[i] : 1;
    if (whole(fields[0], UINT32_MAX))
        return true;
    if (whole(*product, UINT32_MAX))
        extent[0] = (uint32_t)*product;
    return whole(*product, UINT32_MAX);
}

/* The shape from fields that are printed like metrics, where the table has no columns for it. */
static void find_shape(struct rl_model *model, struct rl_launch *launch)
{
    const double *fields = launch->fields;

    if (launch->shaped)
        return;
    launch->shaped = extent_of(&fields[RL_LAUNCH_grid_x], &fields[RL_LAUNCH_grid_blocks], launch->grid) &&
                     extent_of(&fields[RL_LAUNCH_block_x], &fields[RL_LAUNCH_block_threads], launch->block);
    if (!launch->shaped) {
        memset(launch->grid, 0, sizeof launch->grid);
        memset(launch->block, 0, sizeof launch->block);
    } else if (isnan(fields[RL_LAUNCH_grid_x])) {
        rl_notes_add(&model->notes, RL_NOTE_product_only, rl_pool_text(&model->names, launch->name));
    }
}

/* A class that no launch was read of. */
static size_t add_class(struct rl_model *model, struct rl_text key, const struct rl_class *fresh)
{
    struct rl_class *class;
    uint32_t number;

    if (model->class_count == RL_IMPORT_MAX_CLASSES)
        return RL_NONE;
    number = rl_pool_add(&model->class_keys, key);
    RL_GROW(model->classes, (size_t)number + 1, model->class_cap);
    class = &model->classes[number];
    *class = *fresh;
    class->joined = RL_NONE;
    class->first_kind = number;
    class->registers = class->static_shared = rl_value_missing(RL_NOT_COLLECTED, NULL);
    for (size_t i = 0; i < RL_WORK_COUNT; i++)
        class->work[i][0] = class->work[i][1] = NAN;
    model->class_count = (size_t)number + 1;
    return number;
}

static size_t find_class(struct rl_model *model, const struct rl_launch *launch)
{
    const double dynamic = launch->fields[RL_LAUNCH_dynamic_shared];
    const uint64_t dynamic_shared = whole(dynamic, 1e15) ? (uint64_t)dynamic : 0;
    const uint64_t key[] = {launch->card,    launch->name,     launch->run,      launch->shaped,   launch->grid[0], launch->grid[1],
                            launch->grid[2], launch->block[0], launch->block[1], launch->block[2], dynamic_shared};
    const struct rl_text bytes = {(const char *)key, sizeof key};
    struct rl_class class = {
        .card = launch->card, .name = launch->name, .run = launch->run, .shaped = launch->shaped, .dynamic_shared = dynamic_shared};
    uint32_t number;

    if (rl_pool_find(&model->class_keys, bytes, &number))
        return number;
    memcpy(class.grid, launch->grid, sizeof class.grid);
    memcpy(class.block, launch->block, sizeof class.block);
    return add_class(model, bytes, &class);
}

size_t rl_model_add_kind(struct rl_model *model, uint32_t first)
{
    assert(first < model->class_count);
    const struct rl_class *of = &model->classes[first];
    const uint64_t key[] = {first, model->class_count};
    struct rl_class class = {
        .card = of->card, .name = of->name, .run = of->run, .shaped = of->shaped, .dynamic_shared = of->dynamic_shared};

    memcpy(class.grid, of->grid, sizeof class.grid);
    memcpy(class.block, of->block, sizeof class.block);
    const size_t number = add_class(model, (struct rl_text){(const char *)key, sizeof key}, &class);
    if (number != RL_NONE)
        model->classes[number].first_kind = first;
    return number;
}

size_t rl_class_final(const struct rl_model *model, size_t number)
{
    assert(number < model->class_count);
    while (model->classes[number].joined != RL_NONE)
        number = model->classes[number].joined;
    return number;
}

static void take_fields(struct rl_class *class, const struct rl_launch *launch)
{
    const double registers = launch->fields[RL_LAUNCH_registers], shared = launch->fields[RL_LAUNCH_static_shared];

    if (!rl_present(class->registers) && whole(registers, INT32_MAX))
        class->registers = rl_value_of(registers);
    if (!rl_present(class->static_shared) && whole(shared, INT32_MAX))
        class->static_shared = rl_value_of(shared);
}

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the input reaches every bit of the result. */
static uint64_t mixed(uint64_t key)
{
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9u;
    key = (key ^ key >> 27) * 0x94D049BB133111EBu;
    return key ^ key >> 31;
}

/* The place of a key, which is not 0, or the free one where it belongs: whoever fills it counts it. */
static struct rl_mapped_ *place_of(struct rl_map *map, uint64_t key)
{
    if (2 * (map->count + 1) > map->size) {
        const struct rl_map old = *map;
        map->size = old.size ? 2 * old.size : 1024;
        map->slots = rl_calloc(map->size, sizeof *map->slots);
        for (size_t i = 0; i < old.size; i++)
            if (old.slots[i].key)
                *place_of(map, old.slots[i].key) = old.slots[i];
        free(old.slots);
    }
    size_t at = (size_t)mixed(key) & (map->size - 1);
    while (map->slots[at].key && map->slots[at].key != key)
        at = (at + 1) & (map->size - 1);
    return &map->slots[at];
}

/* What is known of the launch from other tables and files; NULL: it has no number. `first`: the first class of its shape. */
static struct rl_record *record_of(struct rl_model *model, uint32_t first, const struct rl_launch *launch)
{
    if (launch->number == RL_NO_NUMBER || model->record_count >= RL_IMPORT_MAX_SAMPLES)
        return NULL;
    struct rl_mapped_ *place = place_of(&model->record_of, launch->number << 18 | (first + 1));
    if (!place->key) {
        *place = (struct rl_mapped_){launch->number << 18 | (first + 1), (uint32_t)model->record_count};
        model->record_of.count++;
        RL_GROW(model->records, model->record_count + 1, model->record_cap);
        model->records[model->record_count++] = (struct rl_record){.class_number = UINT32_MAX, .duration_s = NAN};
    }
    return &model->records[place->number];
}

static void count_launches(struct rl_model *model, struct rl_class *class, const struct rl_launch *launch, struct rl_record *record)
{
    if (launch->number != RL_NO_NUMBER) {
        class->numbered += !record || !record->counted;
        if (record)
            record->counted = true;
        class->launches = class->numbered > class->launches ? class->numbered : class->launches;
        return;
    }
    if (class->view != model->view)
        class->seen = 0;
    class->view = model->view;
    if (!launch->repeated)
        class->seen = sum_of(class->seen, launch->launches);
    else if (launch->launches > class->seen)
        class->seen = launch->launches < greatest ? launch->launches : greatest;
    if (class->seen > class->launches)
        class->launches = class->seen;
}

/* ---- times ---- */

static void add_sample(struct rl_model *model, struct rl_class *class, uint64_t duration_ns)
{
    if (class->sample_count == RL_IMPORT_MAX_SAMPLES_OF_CLASS || model->sample_count == RL_IMPORT_MAX_SAMPLES) {
        rl_notes_add(&model->notes, RL_NOTE_too_many_samples, rl_pool_text(&model->names, class->name));
        return;
    }
    RL_GROW(class->samples, class->sample_count + 1, class->sample_cap);
    class->samples[class->sample_count++] = duration_ns;
    model->sample_count++;
}

static bool is_average(enum rl_timing timing)
{
    return timing == RL_TIMING_NVPROF_SUMMARY || timing == RL_TIMING_NSYS_SUMMARY || timing == RL_TIMING_NCU_SUMMARY;
}

static void take_times(struct rl_model *model, struct rl_class *class, const struct rl_launch *launch, struct rl_record *record)
{
    const double total = isnan(launch->total_s) ? launch->duration_s * (double)launch->launches : launch->total_s;

    if (isnan(launch->duration_s) || launch->timing < class->timing)
        return;
    if (!whole(launch->duration_s, longest_s) || launch->duration_s == 0 || !whole(total, longest_s)) {
        rl_notes_add(&model->notes, RL_NOTE_duration, rl_pool_text(&model->names, class->name));
        return;
    }
    if (launch->timing > class->timing) {
        model->sample_count -= class->sample_count;
        class->sample_count = 0;
        class->total_ns = class->timed = 0;
        class->timing = launch->timing;
        class->timing_view = model->view;
    }
    const bool numbered = launch->number != RL_NO_NUMBER, average = is_average(launch->timing);
    if (record && record->timed)
        return;
    if (record)
        record->timed = true;
    if (numbered || class->timing_view == model->view) { /* another view of the same launches adds samples, not launches */
        class->total_ns = sum_of(class->total_ns, (uint64_t)llround(total * 1e9));
        class->timed = sum_of(class->timed, launch->launches);
    }
    if (average && class->sample_count) /* an average of averages, by their launches */
        class->samples[0] = class->total_ns / class->timed;
    else
        add_sample(model, class, (uint64_t)llround(launch->duration_s * 1e9));
}

static void add_times(struct rl_class *class, struct rl_class *from)
{
    RL_GROW(class->samples, class->sample_count + from->sample_count, class->sample_cap);
    if (from->sample_count)
        memcpy(class->samples + class->sample_count, from->samples, from->sample_count * sizeof *from->samples);
    class->sample_count += from->sample_count;
    class->total_ns = sum_of(class->total_ns, from->total_ns);
    class->timed = sum_of(class->timed, from->timed);
    from->sample_count = 0;
}

void rl_class_merge_times(struct rl_class *class, struct rl_class *from, bool other)
{
    if (other && from->timing == class->timing && class->timing)
        add_times(class, from);
    if (from->timing <= class->timing)
        return;
    free(class->samples);
    class->samples = from->samples;
    class->sample_count = from->sample_count;
    class->sample_cap = from->sample_cap;
    class->timing = from->timing;
    class->total_ns = from->total_ns;
    from->samples = NULL;
    from->sample_count = from->sample_cap = 0;
    from->timing = RL_TIMING_NONE;
}

/* ---- values ---- */

static bool is_entry(const struct rl_model *model, size_t entry, uint32_t class_number, uint32_t slot)
{
    return entry < model->entry_count && model->entries[entry].class_number == class_number && model->entries[entry].slot == slot;
}

/* Foreign metrics have a limit of their own, so that ours always have room. */
static bool has_room(struct rl_model *model, struct rl_class *class, const struct rl_slot *slot)
{
    const bool foreign = slot->kind == RL_FOREIGN;
    const bool room = model->entry_count < (foreign ? RL_IMPORT_MAX_VALUES / 2 : RL_IMPORT_MAX_VALUES) &&
                      (!foreign || class->foreign_count < RL_IMPORT_MAX_FOREIGN_OF_CLASS);

    if (!room)
        rl_notes_add(&model->notes, RL_NOTE_too_many_values, rl_text_of(slot->name));
    class->foreign_count += room && foreign;
    return room;
}

/* The entry of a class and slot, a new one when there is none; NULL beyond the limits. */
static struct rl_entry *find_entry(struct rl_model *model, uint32_t class_number, uint32_t slot)
{
    assert(class_number < model->class_count);

    if (is_entry(model, model->cursor + 1, class_number, slot))
        return &model->entries[++model->cursor];
    struct rl_mapped_ *place = place_of(&model->entry_of, ((uint64_t)class_number + 1) << 32 | slot);
    if (!place->key) {
        if (!has_room(model, &model->classes[class_number], &model->targets.slots[slot]))
            return NULL;
        *place = (struct rl_mapped_){((uint64_t)class_number + 1) << 32 | slot, (uint32_t)model->entry_count};
        model->entry_of.count++;
        RL_GROW(model->entries, model->entry_count + 1, model->entry_cap);
        model->entries[model->entry_count++] =
            (struct rl_entry){.class_number = class_number, .slot = slot, .source = (uint8_t)model->source};
    }
    model->cursor = place->number;
    return &model->entries[model->cursor];
}

static void merge(struct rl_entry *entry, enum rl_merge how, double value, double weight)
{
    entry->varies |= entry->weight > 0 && !(value >= entry->value && value <= entry->value);
    if (entry->weight == 0)
        entry->value = value;
    else if (how == RL_MERGE_MEAN)
        entry->value += (value - entry->value) * (weight / (entry->weight + weight));
    else
        entry->value = how == RL_MERGE_LEAST ? fmin(entry->value, value) : fmax(entry->value, value);
    entry->weight += weight;
}

/* Adds to a mean that is weighted by `weight` of `by`. */
static void weigh(struct rl_entry *entry, uint8_t by, double value, double weight)
{
    assert(by != RL_BY_SEVERAL);
    if (entry->by && entry->by != by)
        entry->by = RL_BY_SEVERAL;
    if (entry->by == RL_BY_SEVERAL)
        return;
    entry->by = by;
    entry->total += weight;
    if (weight > 0)
        entry->ratio += (value - entry->ratio) * (weight / entry->total);
}

/* How much a value of a ratio says: what it is a ratio to, of this launch. */
static void weigh_value(struct rl_model *model, struct rl_entry *entry, const struct rl_launch_value_ *value)
{
    const struct rl_launch *launch = &model->launch;
    const uint8_t *by = rl_targets_weights(&model->targets, value->slot);
    const uint32_t lookups = by && by[0] == RL_TOKEN_LOOKUPS ? rl_targets_lookups(&model->targets, value->slot) : 0;
    const uint32_t at = lookups && lookups <= model->at_cap ? model->at[lookups - 1] : 0;

    for (size_t i = 0; by && by[i] < RL_MAX_TOKENS; i++) {
        double weight = launch->weights[by[i]];
        if (by[i] == RL_TOKEN_LOOKUPS)
            weight = at && !launch->values[at - 1].missing ? launch->values[at - 1].value : NAN;
        if (weight >= 0) {
            weigh(entry, (uint8_t)(by[i] + 1), value->value, weight * (double)launch->launches);
            return;
        }
    }
    entry->by = RL_BY_SEVERAL;
}

static void merge_entries(const struct rl_model *model, struct rl_entry *into, const struct rl_entry *from)
{
    if (from->weight > 0)
        merge(into, model->targets.slots[into->slot].merge, from->value, from->weight);
    into->varies |= from->varies;
    into->values += from->values;
    into->missing = into->missing ? into->missing : from->missing;
    if (from->by && from->by != RL_BY_SEVERAL)
        weigh(into, from->by, from->ratio, from->total);
    else if (from->by)
        into->by = RL_BY_SEVERAL;
}

bool rl_model_move_entry(struct rl_model *model, size_t entry, uint32_t class_number)
{
    struct rl_entry *from = &model->entries[entry];
    struct rl_mapped_ *place = place_of(&model->entry_of, ((uint64_t)class_number + 1) << 32 | from->slot);

    from->class_number = class_number;
    if (place->key) {
        merge_entries(model, &model->entries[place->number], from);
        return false;
    }
    *place = (struct rl_mapped_){((uint64_t)class_number + 1) << 32 | from->slot, (uint32_t)entry};
    model->entry_of.count++;
    return true;
}

static void take_values(struct rl_model *model, uint32_t class_number, const struct rl_launch *launch)
{
    for (size_t i = 0; i < launch->value_count; i++) {
        const struct rl_launch_value_ *value = &launch->values[i];
        struct rl_entry *entry = find_entry(model, class_number, value->slot);
        if (!entry || entry->serial == model->serial)
            continue;
        entry->serial = model->serial;
        entry->values += entry->values < UINT32_MAX;
        if (value->missing) {
            entry->missing = value->missing;
            continue;
        }
        merge(entry, model->targets.slots[value->slot].merge, value->value, (double)launch->launches);
        weigh_value(model, entry, value);
    }
}

static void add_computed(struct rl_model *model, enum rl_counter_kind kind, const char *target, double value)
{
    push(model, rl_targets_computed(&model->targets, kind, target), value, 0);
}

/* The duration that the rates of the launch are over, also where another table has printed it. */
static double time_of(const struct rl_model *model, const struct rl_record *record)
{
    const struct rl_launch *launch = &model->launch;
    uint32_t slot;

    if (launch->duration_s > 0)
        return launch->duration_s;
    if (record && record->duration_s > 0)
        return record->duration_s;
    const size_t computed = rl_targets_find_computed(&model->targets, "pass_duration_s", &slot) ? slot : RL_NONE;
    const uint32_t at = computed < model->at_cap ? model->at[computed] : 0;
    return at ? launch->values[at - 1].value : NAN;
}

/* Adds the launch to the class; `number` is the first of its shape. */
static void add_to_class(struct rl_model *model, size_t number)
{
    struct rl_launch *launch = &model->launch;
    struct rl_record *record = record_of(model, (uint32_t)number, launch);

    rl_each_derive(model, add_computed);
    if (record && launch->duration_s > 0)
        record->duration_s = (float)launch->duration_s;
    launch->weights[RL_TOKEN_TIME] = time_of(model, record);
    number = record && record->class_number != UINT32_MAX ? rl_class_final(model, record->class_number)
                                                          : rl_kinds_of(model, (uint32_t)number, launch);
    if (record)
        record->class_number = (uint32_t)number;
    take_fields(&model->classes[number], launch);
    count_launches(model, &model->classes[number], launch, record);
    take_times(model, &model->classes[number], launch, record);
    take_values(model, (uint32_t)number, launch);
    model->launch_count++;
}

void rl_model_end(struct rl_model *model)
{
    struct rl_launch *launch = &model->launch;
    size_t number;

    if (!model->open)
        return;
    model->open = false;
    find_shape(model, launch);
    number = find_class(model, launch);
    if (number != RL_NONE)
        add_to_class(model, number);
    else
        rl_notes_add(&model->notes, RL_NOTE_too_many_classes, rl_pool_text(&model->names, launch->name));
    for (size_t i = 0; i < launch->value_count; i++)
        model->at[launch->values[i].slot] = 0;
}

#include "model.h"

#include "analysis/analysis.h"
#include "ncu_source.h"

/* Values that follow from several printed ones of the same launch. The product of two averages is not the average of the
 * products: what is multiplied is multiplied launch by launch, and the results are averaged as printed values are. */

/* The input of the formulas: one launch. */
struct view {
    const struct rl_model *model;
    const struct rl_launch *launch;
};

static struct rl_value value_of(const struct rl_launch_value_ *value)
{
    return value->missing ? rl_value_missing(RL_NOT_ON_CHIP, NULL) : rl_value_of(value->value);
}

static struct rl_value look_up(void *context, const char *name)
{
    static const enum rl_counter_kind kinds[] = {RL_FOREIGN, RL_COUNTER};
    const struct view *view = context;
    uint32_t slot;

    if (strcmp(name, "time_s") == 0)
        return isnan(view->launch->duration_s) ? rl_value_missing(RL_NOT_ON_CHIP, NULL) : rl_value_of(view->launch->duration_s);
    if (rl_metric_find(name) < RL_METRIC_COUNT) {
        for (size_t i = 0; i < view->launch->metric_count; i++) {
            const struct rl_launch_value_ *value = &view->launch->values[view->launch->metrics[i]];
            if (strcmp(view->model->targets.slots[value->slot].name, name) == 0)
                return value_of(value);
        }
        return rl_value_missing(RL_NOT_ON_CHIP, NULL);
    }
    for (size_t k = 0; k < RL_COUNT(kinds); k++) {
        const bool known = rl_targets_find_slot(&view->model->targets, kinds[k], name, &slot);
        const uint32_t at = known && slot < view->model->at_cap ? view->model->at[slot] : 0;
        if (at)
            return value_of(&view->launch->values[at - 1]);
    }
    return rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

/* Hands to `add` what the rows that multiply values make of the launch that is being read; nothing where it stands for
 * several launches. */
static void each_derive(struct rl_model *model, rl_each_add add)
{
    const struct rl_launch *launch = &model->launch;
    struct view view = {model, launch};
    enum rl_destination destination;
    const char *target;
    bool timed = false; /* the first that gives a duration counts */

    if (launch->launches != 1 || launch->repeated || !launch->value_count) /* what is an average already stays one */
        return;
    for (size_t row = 0; (target = rl_derivation_target(row, &destination)); row++) {
        if (!rl_derivation_each(row) || (strcmp(target, "pass_duration_s") == 0 && (launch->duration_s > 0 || timed)))
            continue;
        const struct rl_value value = rl_derivation_value(model->derivations, row, look_up, &view);
        if (!rl_present(value))
            continue;
        timed |= strcmp(target, "pass_duration_s") == 0;
        add(model, destination == RL_TO_COUNTER ? RL_COUNTER : RL_METRIC_VALUE, target, value.v);
    }
}

enum { MAX_CARDS = 256 };

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

/* ---- life ---- */

void rl_model_init(struct rl_model *model)
{
    *model = (struct rl_model){.open = false, .printed = UINT32_MAX};
    rl_targets_init(&model->targets, &model->notes);
    rl_pool_add(&model->runs, rl_text_of(""));
    model->derivations = rl_derivations_new();
    model->instructions = rl_ncu_source_new();
}

void rl_model_release(struct rl_model *model)
{
    for (size_t i = 0; i < model->class_count; i++)
        rl_class_release_times(&model->classes[i]);
    for (size_t i = 0; i < model->card_count; i++)
        free(model->cards[i].name);
    RL_FREE(model->classes, model->cards, model->published, model->entries, model->entry_of.slots, model->kept, model->kept_values,
            model->kept_of.slots, model->launch.values, model->launch.metrics);
    rl_pool_release(&model->names);
    rl_pool_release(&model->shapes);
    rl_pool_release(&model->runs);
    RL_FREE(model->record_of.slots, model->records, model->known_of.slots, model->known, model->first_of, model->at);
    rl_targets_release(&model->targets);
    rl_derivations_free(model->derivations);
    rl_ncu_source_free(model->instructions);
    rl_notes_release(&model->notes);
}

void rl_model_again(struct rl_model *model)
{
    const struct rl_map known_of = model->record_of;
    struct rl_record *const known = model->records;

    model->record_of = (struct rl_map){.size = 0};
    model->records = NULL;
    rl_model_release(model);
    rl_model_init(model);
    model->known_of = known_of;
    model->known = known;
}

void rl_model_source(struct rl_model *model, enum rl_tool tool, const char *label, const char *file)
{
    enum { MOST_LABELS = 32 }; /* a table has fewer; many files share what is left */
    const char *slash = strrchr(file, '/');
    const uint32_t name = model->source_count + MOST_LABELS < RL_MAX_SOURCES
                              ? rl_pool_add(&model->names, rl_text_of(slash ? slash + 1 : file))
                              : rl_pool_add(&model->names, rl_text_of("other files"));
    size_t i = 0;

    while (i < model->source_count && (model->sources[i].file != name || strcmp(model->sources[i].label, label) != 0))
        i++;
    if (i == model->source_count) {
        assert(i < RL_MAX_SOURCES);
        model->sources[model->source_count++] = (struct rl_source){label, name, tool};
    }
    model->source = i;
}

/* ---- GPUs ---- */

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

static uint32_t run_of(struct rl_model *model, const char *kind, struct rl_text name, struct rl_text host)
{
    enum { MOST = 64 };
    RL_SCRATCH text = RL_BUF_INIT;

    if (name.len) {
        rl_buf_addf(&text, "%s ", kind);
        rl_utf8_printable(&text, name.at, name.len < MOST ? name.len : MOST);
        rl_buf_adds(&text, host.len ? " on " : "");
        rl_utf8_printable(&text, host.at, host.len < MOST ? host.len : MOST);
    }
    uint32_t run = rl_pool_add(&model->runs, (struct rl_text){text.data, text.len});
    return run;
}

uint32_t rl_model_run(struct rl_model *model, struct rl_text process, struct rl_text host)
{
    return run_of(model, "process", process, host);
}

uint32_t rl_model_report(struct rl_model *model, struct rl_text name)
{
    return run_of(model, "report", name, rl_text_of(""));
}

size_t rl_model_card(struct rl_model *model, int ordinal, struct rl_text name, struct rl_text host, int capability)
{
    /* Never shown. Nsight Compute calls every machine 127.0.0.1 that it runs on. */
    const uint32_t on = rl_text_is(host, "127.0.0.1") ? 0 : rl_pool_add(&model->runs, host);
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
    const double most = rl_facts[fact].unit == RL_UNIT_COUNT ? 2147483647.0 : 9007199254740992.0;

    if (model->launch.card == RL_NONE || !(value >= 0 && value <= most))
        return;
    struct rl_value *known = &model->cards[model->launch.card].fact[fact];
    if (!rl_present(*known))
        *known = rl_value_of(value);
    else if (contradicts(known->v, value))
        contradict(model, "the first value for this GPU");
}

/* ---- a launch ---- */

struct rl_launch *rl_model_begin(struct rl_model *model, struct rl_text name, enum rl_timing timing)
{
    struct rl_launch *launch = &model->launch;
    struct rl_launch fresh = {
        .card = RL_NONE, .number = RL_NO_NUMBER, .launches = 1, .timing = timing, .duration_s = NAN, .total_s = NAN, .start = NAN};

    rl_model_end(model);
    fresh.values = launch->values;
    fresh.value_cap = launch->value_cap;
    fresh.metrics = launch->metrics;
    fresh.metric_cap = launch->metric_cap;
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
    if (model->targets.slots[slot].kind == RL_METRIC_VALUE) {
        RL_APPEND(launch->metrics, launch->metric_count, launch->metric_cap, (uint32_t)launch->value_count);
    }
    RL_APPEND(launch->values, launch->value_count, launch->value_cap, (struct rl_launch_value_){(uint32_t)slot, missing, value});
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

static bool is_card_name(const struct rl_target *target)
{
    return target->count && target->routes[0].destination == RL_TO_CARD;
}

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
    if (cell->kind == RL_CELL_WORDS) {
        const bool card = is_card_name(to);
        if (card && model->launch.card != RL_NONE)
            keep_longer_name(&model->cards[model->launch.card], text);
        else if (!card)
            rl_notes_add(&model->notes, text.len && text.at[0] >= '0' && text.at[0] <= '9' ? RL_NOTE_no_number : RL_NOTE_words,
                         text);
    }
    for (size_t i = 0; i < to->count; i++) {
        const struct rl_route *route = &to->routes[i];
        void (*const taker)(struct rl_model *, size_t, double) = takers[route->destination];

        if (cell->kind == RL_CELL_NUMBER && taker)
            taker(model, route->number, cell->number * route->factor);
        else if (cell->kind == RL_CELL_MISSING && taker == take_slot)
            push(model, route->number, 0, (uint8_t)(cell->missing + 1));
        else if (cell->kind == RL_CELL_MISSING && taker == take_duration)
            rl_notes_add(&model->notes, RL_NOTE_duration, rl_pool_text(&model->names, model->launch.name));
    }
    model->printed = UINT32_MAX;
}

/* ---- its class ---- */

static bool extent_of(const double *fields, const double *product, uint32_t extent[3])
{
    for (int i = 0; i < 3; i++)
        extent[i] = rl_is_size(fields[i], UINT32_MAX) ? (uint32_t)fields[i] : 1;
    if (rl_is_size(fields[0], UINT32_MAX))
        return true;
    if (rl_is_size(*product, UINT32_MAX))
        extent[0] = (uint32_t)*product;
    return rl_is_size(*product, UINT32_MAX);
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
    struct rl_record *record = rl_record_of(model, (uint32_t)number, launch);

    each_derive(model, add_computed);
    if (record && launch->duration_s > 0)
        record->duration_s = (float)launch->duration_s;
    launch->weights[RL_TOKEN_TIME] = time_of(model, record);
    if (record && rl_kinds_record(model, launch, record))
        model->parted |= record->class_number != UINT32_MAX;
    number = record && record->class_number != UINT32_MAX ? rl_class_final(model, record->class_number)
                                                          : rl_kinds_of(model, (uint32_t)number, launch);
    if (record)
        record->class_number = (uint32_t)number;
    rl_class_take(model, (uint32_t)number, launch, record);
    model->launch_count++;
}

void rl_model_end(struct rl_model *model)
{
    struct rl_launch *launch = &model->launch;

    if (!model->open)
        return;
    model->open = false;
    find_shape(model, launch);
    size_t number = rl_class_find(model, launch);
    if (number != RL_NONE)
        add_to_class(model, number);
    else
        rl_notes_add(&model->notes, RL_NOTE_too_many_classes, rl_pool_text(&model->names, launch->name));
    for (size_t i = 0; i < launch->value_count; i++)
        model->at[launch->values[i].slot] = 0;
}

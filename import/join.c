/* join.c - several views of one run: what a table does not say of a kernel, another one may. */
#include "model.h"

/* Classes in the order of kernel name, run, GPU and shape, so that those that have these in common are neighbours. */
struct order {
    struct rl_model *model;
    uint32_t *classes;
    size_t count;
};

static struct rl_class *class_at(const struct order *order, size_t place)
{
    return &order->model->classes[order->classes[place]];
}

static int by_shape(const struct rl_class *x, const struct rl_class *y)
{
    return rl_ascending(x->shaped, y->shaped) ?: memcmp(x->grid, y->grid, sizeof x->grid)
                                              ?: memcmp(x->block, y->block, sizeof x->block)
                                              ?: rl_ascending(x->sized, y->sized)
                                              ?: rl_ascending(x->dynamic_shared, y->dynamic_shared)
                                              ?: rl_ascending(x->population.total, y->population.total)
                                              ?: rl_ascending(x->population.number, y->population.number);
}

RL_COMPARATOR_AT(by_all, uint32_t, struct rl_class, ((const struct rl_model *)context)->classes, rl_ascending(x->name, y->name)
                 ?: rl_ascending(x->run, y->run) ?: rl_ascending(x->card, y->card) ?: by_shape(x, y));

static void sort(struct order *order)
{
    rl_sort_with(order->classes, order->count, sizeof *order->classes, by_all, order->model);
}

/* ---- runs ---- */

/* That a run has a value of a kernel. */
struct printed {
    uint32_t name, what, run; /* `what`: slot, or UINT32_MAX - timing */
};

RL_COMPARATOR(by_value, struct printed, rl_ascending(x->name, y->name) ?: rl_ascending(x->what, y->what)
              ?: rl_ascending(x->run, y->run));

/* Whether a slot says what was measured; durations and the facts of each launch are in every output. */
static bool is_measured(const struct rl_slot *slot)
{
    return strcmp(slot->name, "gpu__time_duration.sum") != 0 && strncmp(slot->name, "launch__", strlen("launch__")) != 0 &&
           strncmp(slot->name, "device__", strlen("device__")) != 0;
}

/* Processes are views of one run unless two of them measured the same of the same kernel: then each is a run of its own, and
 * nothing tells which views belong together. */
static void find_runs(struct rl_model *model)
{
    RL_FREED struct printed *printed = rl_calloc(model->entry_count + model->class_count, sizeof *printed);
    RL_FREED bool *counted = rl_calloc(model->runs.count, sizeof *counted);
    size_t count = 0;
    bool several = false;

    for (size_t i = 0; i < model->entry_count; i++) {
        const struct rl_class *class = &model->classes[model->entries[i].class_number];
        if (class->run == 0 || !is_measured(&model->targets.slots[model->entries[i].slot]))
            continue;
        counted[class->run] = true;
        printed[count++] = (struct printed){class->name, model->entries[i].slot, class->run};
    }
    for (size_t i = 0; i < model->class_count; i++)
        if (model->classes[i].run && model->classes[i].times.timing && !model->classes[i].merged)
            printed[count++] = (struct printed){model->classes[i].name, UINT32_MAX - (uint32_t)model->classes[i].times.timing,
                                                model->classes[i].run};
    rl_sort(printed, count, sizeof *printed, by_value);
    for (size_t i = 1; i < count && !several; i++) {
        const struct printed *a = &printed[i - 1], *b = &printed[i];
        const bool times = a->what >= UINT32_MAX - RL_TIMING_COUNT;
        several = a->name == b->name && a->what == b->what && a->run != b->run && !(times && counted[a->run] && counted[b->run]);
    }
    for (size_t i = 0; i < model->class_count && !several; i++)
        model->classes[i].run = 0;
}

/* ---- GPUs ---- */

/* End of the classes with name and run of the one at `from`. */
static size_t end_of_name(const struct order *order, size_t from)
{
    size_t to = from;

    while (to < order->count && class_at(order, to)->name == class_at(order, from)->name &&
           class_at(order, to)->run == class_at(order, from)->run)
        to++;
    return to;
}

/* The GPU for classes that have none, where they are of one name: the only GPU that the name is seen on. GPUs are numbers, so
 * those without (RL_NONE is the greatest) come last. RL_NONE when there is none, or more than one. */
static size_t card_of_name(struct order *order, size_t from, size_t to)
{
    const size_t first = class_at(order, from)->card;
    size_t last = to;

    while (last > from && class_at(order, last - 1)->card == RL_NONE)
        last--;
    if (last > from && class_at(order, last - 1)->card == first)
        return first;
    if (last > from)
        rl_notes_add(&order->model->notes, RL_NOTE_several_cards, rl_pool_text(&order->model->names, class_at(order, from)->name));
    return RL_NONE;
}

/* The only GPU of all, or one that nothing is known of. */
static size_t other_card(struct rl_model *model)
{
    if (model->card_count == 1)
        return 0;
    RL_GROW(model->cards, model->card_count + 1, model->card_cap);
    model->cards[model->card_count] = (struct rl_card){.ordinal = -1};
    for (size_t i = 0; i < RL_FACT_COUNT; i++)
        model->cards[model->card_count].fact[i] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    return model->card_count++;
}

static void find_cards(struct order *order)
{
    size_t other = RL_NONE;

    if (!RL_ANY(i, order->model->class_count, order->model->classes[i].card == RL_NONE))
        return;
    for (size_t from = 0, to; from < order->count; from = to) {
        to = end_of_name(order, from);
        if (class_at(order, to - 1)->card != RL_NONE)
            continue;
        const size_t card = card_of_name(order, from, to);
        if (card == RL_NONE && other == RL_NONE)
            other = other_card(order->model);
        for (size_t i = from; i < to; i++)
            if (class_at(order, i)->card == RL_NONE)
                class_at(order, i)->card = card == RL_NONE ? other : card;
    }
}

/* ---- shapes ---- */

static void join(struct rl_class *from, struct rl_class *to, size_t to_number)
{
    from->joined = to_number;
    if (from->launches > to->launches)
        to->launches = from->launches;
    if (!rl_present(to->registers))
        to->registers = from->registers;
    if (!rl_present(to->static_shared))
        to->static_shared = from->static_shared;
    rl_class_merge_times(to, from, false);
}

/* Each of the classes `from` to `to` that lacks something is the one that has it, if there is only one. */
static void join_to_only(struct order *order, size_t from, size_t to, bool (*has)(const struct rl_class *),
                         bool (*lacks)(const struct rl_class *))
{
    size_t only = RL_NONE, count = 0;

    for (size_t i = from; i < to; i++)
        if (class_at(order, i)->joined == RL_NONE && has(class_at(order, i))) {
            only = i;
            count++;
        }
    for (size_t i = from; i < to && count; i++) {
        if (class_at(order, i)->joined != RL_NONE || !lacks(class_at(order, i)))
            continue;
        if (count == 1)
            join(class_at(order, i), class_at(order, only), order->classes[only]);
        else
            rl_notes_add(&order->model->notes, RL_NOTE_several_shapes,
                         rl_pool_text(&order->model->names, class_at(order, i)->name));
    }
}

static bool has_shape(const struct rl_class *class)
{
    return class->shaped;
}

static bool lacks_shape(const struct rl_class *class)
{
    return !class->shaped;
}

static bool has_size(const struct rl_class *class)
{
    return class->shaped && class->sized;
}

static bool lacks_size(const struct rl_class *class)
{
    return class->shaped && !class->sized;
}

/* Classes of a table that says grid and block alone are the one that has them in another table, if there is one: its dynamic shared
 * memory is known. Those of one grid and block are neighbours. */
static void find_sizes(struct order *order, size_t from, size_t to)
{
    for (size_t first = from, end; first < to; first = end) {
        for (end = first; end < to && memcmp(class_at(order, end)->grid, class_at(order, first)->grid, sizeof(uint32_t[3])) == 0 &&
                          memcmp(class_at(order, end)->block, class_at(order, first)->block, sizeof(uint32_t[3])) == 0;)
            end++;
        join_to_only(order, first, end, has_size, lacks_size);
    }
}

static void find_shapes(struct order *order)
{
    for (size_t from = 0, to; from < order->count; from = to) {
        for (to = from; to < order->count && class_at(order, to)->name == class_at(order, from)->name &&
                        class_at(order, to)->run == class_at(order, from)->run &&
                        class_at(order, to)->card == class_at(order, from)->card;)
            to++;
        for (size_t i = from + 1, first = from; i < to; i++) { /* of several processes of one run */
            if (by_shape(class_at(order, i), class_at(order, first)) != 0)
                first = i;
            else if (class_at(order, i)->shaped)
                join(class_at(order, i), class_at(order, first), order->classes[first]);
        }
        find_sizes(order, from, to);
        /* Classes without a shape that were apart only because one of them had no GPU. */
        size_t first = RL_NONE;
        for (size_t i = from; i < to; i++) {
            if (class_at(order, i)->shaped)
                continue;
            if (first == RL_NONE)
                first = i;
            else
                join(class_at(order, i), class_at(order, first), order->classes[first]);
        }
        join_to_only(order, from, to, has_shape, lacks_shape);
    }
}

void rl_model_join(struct rl_model *model)
{
    struct order order = {model, rl_calloc(model->class_count, sizeof *order.classes), model->class_count};

    assert(!model->open);
    for (size_t i = 0; i < order.count; i++)
        order.classes[i] = (uint32_t)i;
    rl_kinds_settle(model);
    find_runs(model);
    sort(&order);
    find_cards(&order);
    sort(&order);
    find_shapes(&order);
    free(order.classes);
}

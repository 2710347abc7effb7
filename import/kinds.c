/* kinds.c - launches of one name and shape that do different work, and may not be averaged: a graph's levels, the layers of a
 * network. They are found while launches are read, one by one: what lies within 2 % of a kind's launches is of that kind, and kinds
 * that come to touch each other become one, so that the order of the launches does not matter. */
#include "model.h"

enum { MOST_KINDS = 8 }; /* as in captures of our own */
static const double SAME_WORK = 1.02;
static const double LEAST_SHARE = 0.02; /* of the launches, or of the time */
static const uint64_t END_NS = (UINT64_C(1) << 62) - 1;

/* The next value of the launch, from number `*at` on, that says what it did; NULL: there is none. */
static const struct rl_launch_value_ *next_counted(const struct rl_model *model, const struct rl_launch *launch, size_t *at)
{
    while (*at < launch->value_count && launch->launches == 1 && !launch->repeated) {
        const struct rl_launch_value_ *value = &launch->values[(*at)++];
        const struct rl_slot *slot = &model->targets.slots[value->slot];
        if (slot->work && slot->rank != RL_COMPUTED && slot->merge == RL_MERGE_MEAN && !value->missing)
            return value;
    }
    return NULL;
}

bool rl_kinds_record(const struct rl_model *model, const struct rl_launch *launch, struct rl_record *record)
{
    const uint64_t before = record->summed;

    for (size_t at = 0; at < launch->value_count;) {
        const struct rl_launch_value_ *value = next_counted(model, launch, &at);
        if (!value)
            break;
        const struct rl_slot *slot = &model->targets.slots[value->slot];
        double *sum = &record->work[slot->work - 1];
        if (record->summed >> slot->summand & 1)
            continue;
        record->summed |= UINT64_C(1) << slot->summand;
        *sum = (isnan(*sum) ? 0 : *sum) + value->value;
    }
    return record->summed != before;
}

/* Sums of what the launch counts by kind of work; NAN where it counts none. False: it counts nothing that says what it did. */
static bool work_of(const struct rl_model *model, uint32_t first, const struct rl_launch *launch, double work[RL_WORK_COUNT])
{
    const struct rl_record *known = rl_record_known(model, first, launch);
    bool any = false;

    for (size_t i = 0; i < RL_WORK_COUNT; i++) {
        work[i] = known ? known->work[i] : (double)NAN;
        any |= !isnan(work[i]);
    }
    for (size_t at = 0; at < launch->value_count && !known;) {
        const struct rl_launch_value_ *value = next_counted(model, launch, &at);
        if (!value)
            break;
        double *sum = &work[model->targets.slots[value->slot].work - 1];
        *sum = (isnan(*sum) ? 0 : *sum) + value->value;
        any = true;
    }
    return any;
}

/* How far ranges lie apart: the largest quotient of what both have; at most 1 where they overlap. */
static double apart(double a[RL_WORK_COUNT][2], double b[RL_WORK_COUNT][2])
{
    double most = 1;

    for (size_t i = 0; i < RL_WORK_COUNT; i++) {
        if (isnan(a[i][0]) || isnan(b[i][0]))
            continue;
        const double low = fmax(a[i][0], b[i][0]), high = fmin(a[i][1], b[i][1]);
        most = fmax(most, low <= high ? 1 : high > 0 ? low / high : INFINITY);
    }
    return most;
}

static void widen(struct rl_class *class, double work[RL_WORK_COUNT][2])
{
    for (size_t i = 0; i < RL_WORK_COUNT; i++) {
        class->work[i][0] = fmin(class->work[i][0], work[i][0]); /* fmin and fmax pass over NAN */
        class->work[i][1] = fmax(class->work[i][1], work[i][1]);
    }
}

/* Puts kind `from` into the one `before` it in the list somewhere, `into`. */
static void merge(struct rl_model *model, uint32_t into, uint32_t from)
{
    struct rl_class *to = &model->classes[into], *kind = &model->classes[from];
    uint32_t before = into;

    assert(into != from && kind->first_kind != from);
    while (model->classes[before].next_kind != from)
        before = model->classes[before].next_kind;
    model->classes[before].next_kind = kind->next_kind;
    kind->joined = into;
    kind->merged = true;
    widen(to, kind->work);
    to->counted += kind->counted;
    to->launches += kind->launches;
    to->numbered += kind->numbered;
    if (to->view == kind->view)
        to->seen += kind->seen;
    model->sample_count -= to->times.sample_count + kind->times.sample_count;
    rl_class_merge_times(to, kind, true);
    model->sample_count += to->times.sample_count;
}

/* Puts together what is within 2 %, and then the nearest ones until there are at most `most`. */
static void tidy(struct rl_model *model, uint32_t first, size_t most)
{
    size_t count = 0;

    for (uint32_t kind = first;; kind = model->classes[kind].next_kind) {
        count++;
        if (!model->classes[kind].next_kind)
            break;
    }
    for (uint32_t pair[2]; count > 1; count--) {
        /* The two kinds that are nearest to each other, in the order of the list. */
        double best = INFINITY;

        pair[0] = first;
        pair[1] = model->classes[first].next_kind;
        for (uint32_t a = first; model->classes[a].next_kind; a = model->classes[a].next_kind) {
            for (uint32_t b = model->classes[a].next_kind; b; b = model->classes[b].next_kind) {
                const double distance = apart(model->classes[a].work, model->classes[b].work);
                if (distance < best) {
                    best = distance;
                    pair[0] = a;
                    pair[1] = b;
                }
            }
        }
        if (count <= most && apart(model->classes[pair[0]].work, model->classes[pair[1]].work) > SAME_WORK)
            break;
        merge(model, pair[0], pair[1]);
    }
}

uint32_t rl_kinds_of(struct rl_model *model, uint32_t first, const struct rl_launch *launch)
{
    double sums[RL_WORK_COUNT], work[RL_WORK_COUNT][2];
    uint32_t kind = first;

    if (!work_of(model, first, launch, sums))
        return first;
    for (size_t i = 0; i < RL_WORK_COUNT; i++)
        work[i][0] = work[i][1] = sums[i];
    while (apart(model->classes[kind].work, work) > SAME_WORK) {
        if (model->classes[kind].next_kind) {
            kind = model->classes[kind].next_kind;
            continue;
        }
        const size_t added = rl_model_add_kind(model, first);
        if (added == RL_NONE)
            return first;
        kind = model->classes[kind].next_kind = (uint32_t)added;
    }
    model->classes[kind].counted++;
    widen(&model->classes[kind], work);
    tidy(model, first, MOST_KINDS);
    return (uint32_t)rl_class_final(model, kind);
}

/* ---- once all is read ---- */

static double time_of(const struct rl_class *class)
{
    return RL_SUM(double, i, class->times.sample_count, (double)class->times.samples[i]);
}

/* A kind that has 2 % of neither launches nor time is of the nearest one. */
static bool merge_rare(struct rl_model *model, uint32_t first)
{
    double launches = 0, time = 0;

    for (uint32_t kind = first, more = 1; more; more = kind = model->classes[kind].next_kind) {
        launches += (double)model->classes[kind].launches;
        time += time_of(&model->classes[kind]);
    }
    for (uint32_t kind = first, more = 1; more; more = kind = model->classes[kind].next_kind) {
        struct rl_class *class = &model->classes[kind];
        uint32_t best = UINT32_MAX;
        double distance = INFINITY;
        if ((double)class->launches >= LEAST_SHARE * launches || (time > 0 && time_of(class) >= LEAST_SHARE * time))
            continue;
        for (uint32_t other = first, go = 1; go; go = other = model->classes[other].next_kind) {
            const double to = apart(model->classes[other].work, class->work);
            if (other != kind && (best == UINT32_MAX || to < distance)) {
                best = other;
                distance = to;
            }
        }
        bool later = false; /* the list has one of the two first */
        for (uint32_t after = class->next_kind; after && !later; after = model->classes[after].next_kind)
            later = after == best;
        merge(model, later ? kind : best, later ? best : kind);
        return true;
    }
    return false;
}

/* By time, where each kind has one, otherwise by work. */
static int by_size(const void *a, const void *b, void *context)
{
    const struct rl_model *model = context;
    const struct rl_class *x = &model->classes[*(const uint32_t *)a], *y = &model->classes[*(const uint32_t *)b];

    if (x->times.sample_count && y->times.sample_count) {
        const int order = rl_ascending(time_of(x) / (double)x->times.sample_count, time_of(y) / (double)y->times.sample_count);
        if (order)
            return order;
    }
    for (size_t i = 0; i < RL_WORK_COUNT; i++)
        if (!isnan(x->work[i][0]) && !isnan(y->work[i][0]) && (x->work[i][0] < y->work[i][0] || y->work[i][0] < x->work[i][0]))
            return x->work[i][0] < y->work[i][0] ? -1 : 1;
    return rl_ascending(*(const uint32_t *)a, *(const uint32_t *)b);
}

static void number_kinds(struct rl_model *model, uint32_t first)
{
    uint32_t kinds[MOST_KINDS], count = 0;

    for (uint32_t kind = first, more = 1; more; more = kind = model->classes[kind].next_kind) {
        assert(count < MOST_KINDS);
        kinds[count++] = kind;
    }
    rl_sort_with(kinds, count, sizeof *kinds, by_size, model);
    for (uint32_t i = 0; i < count && count > 1; i++) {
        struct rl_class *class = &model->classes[kinds[i]];
        class->population = (struct rl_population){i + 1, count, class->times.sample_count ? END_NS : 0, END_NS};
        for (size_t j = 0; j < class->times.sample_count; j++) {
            const uint64_t sample = class->times.samples[j];
            class->population.from_ns = sample < class->population.from_ns ? sample : class->population.from_ns;
            class->population.before_ns =
                j == 0 || sample >= class->population.before_ns ? sample + 1 : class->population.before_ns;
        }
    }
}

void rl_kinds_settle(struct rl_model *model)
{
    size_t left = 0;

    for (uint32_t i = 0; i < model->class_count; i++)
        rl_class_settle_times(model, &model->classes[i]);
    for (uint32_t i = 0; i < model->class_count; i++) {
        if (model->classes[i].first_kind != i || model->classes[i].merged)
            continue;
        while (model->classes[i].next_kind && merge_rare(model, i))
            ;
        number_kinds(model, i);
    }
    RL_FREED bool *gone = rl_calloc(model->entry_count, sizeof *gone);
    for (size_t i = 0; i < model->entry_count; i++) {
        const size_t number = model->entries[i].class_number;
        gone[i] = model->classes[number].merged && !rl_model_move_entry(model, i, (uint32_t)rl_class_final(model, number));
    }
    for (size_t i = 0; i < model->entry_count; i++)
        if (!gone[i])
            model->entries[left++] = model->entries[i];
    model->entry_count = left;
}

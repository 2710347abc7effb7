/* classes.c - kernel classes and their launches, times and values (model.h). */
#include "import/import.h"
#include "model.h"

static const uint64_t greatest = (1ull << 62) - 1; /* whole number in a capture */
static const double longest_s = 1e9;               /* of a kernel: thirty years */

static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return a > greatest || b > greatest - a ? greatest : a + b;
}

/* A class that no launch was read of. */
static size_t add_class(struct rl_model *model, const struct rl_class *fresh)
{
    const size_t number = model->class_count;

    if (number == RL_IMPORT_MAX_CLASSES)
        return RL_NONE;
    RL_GROW(model->classes, number + 1, model->class_cap);
    struct rl_class *class = &model->classes[model->class_count++];
    *class = *fresh;
    class->joined = RL_NONE;
    class->registers = class->static_shared = rl_value_missing(RL_NOT_COLLECTED, NULL);
    for (size_t i = 0; i < RL_WORK_COUNT; i++)
        class->work[i][0] = class->work[i][1] = NAN;
    return number;
}

size_t rl_class_find(struct rl_model *model, const struct rl_launch *launch)
{
    const double dynamic = launch->fields[RL_LAUNCH_dynamic_shared];
    const bool sized = rl_is_size(dynamic, 1e15);
    const uint64_t dynamic_shared = sized ? (uint64_t)dynamic : 0;
    const uint64_t key[] = {launch->card,    launch->name,     launch->run,      launch->shaped,   launch->grid[0], launch->grid[1],
                            launch->grid[2], launch->block[0], launch->block[1], launch->block[2], sized,           dynamic_shared};
    const struct rl_text bytes = {(const char *)key, sizeof key};
    struct rl_class class = {.card = launch->card,
                             .name = launch->name,
                             .mangled = launch->mangled,
                             .run = launch->run,
                             .shaped = launch->shaped,
                             .first_kind = (uint32_t)model->class_count,
                             .sized = sized,
                             .dynamic_shared = dynamic_shared};

    if (rl_pool_find(&model->shapes, bytes, &class.shape))
        return model->first_of[class.shape];
    memcpy(class.grid, launch->grid, sizeof class.grid);
    memcpy(class.block, launch->block, sizeof class.block);
    class.shape = (uint32_t)model->shapes.count;
    const size_t number = add_class(model, &class);
    if (number != RL_NONE) {
        rl_pool_add(&model->shapes, bytes);
        RL_GROW(model->first_of, model->shapes.count, model->first_cap);
        model->first_of[class.shape] = (uint32_t)number;
    }
    return number;
}

size_t rl_model_add_kind(struct rl_model *model, uint32_t first)
{
    assert(first < model->class_count);
    const struct rl_class *of = &model->classes[first];
    struct rl_class class = {.card = of->card,
                             .shape = of->shape,
                             .name = of->name,
                             .mangled = of->mangled,
                             .run = of->run,
                             .shaped = of->shaped,
                             .first_kind = first,
                             .sized = of->sized,
                             .dynamic_shared = of->dynamic_shared};

    memcpy(class.grid, of->grid, sizeof class.grid);
    memcpy(class.block, of->block, sizeof class.block);
    return add_class(model, &class);
}

size_t rl_class_final(const struct rl_model *model, size_t number)
{
    assert(number < model->class_count);
    while (model->classes[number].joined != RL_NONE)
        number = model->classes[number].joined;
    return number;
}

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the input reaches every bit of the result. */
static uint64_t mixed(uint64_t key)
{
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9u;
    key = (key ^ key >> 27) * 0x94D049BB133111EBu;
    return key ^ key >> 31;
}

/* The place of a key, which is not 0, or the free one where it belongs, of which there is one. */
static struct rl_mapped_ *find_place(const struct rl_map *map, uint64_t key)
{
    size_t at = (size_t)mixed(key) & (map->size - 1);

    while (map->slots[at].key && map->slots[at].key != key)
        at = (at + 1) & (map->size - 1);
    return &map->slots[at];
}

/* The same of a map with room for one more: whoever fills the place counts it. */
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
    return find_place(map, key);
}

/* A key of the launch, the same in every reading of the same files. */
static uint64_t record_key(const struct rl_model *model, uint32_t first, const struct rl_launch *launch)
{
    return launch->number << 18 | (model->classes[first].shape + 1);
}

struct rl_record *rl_record_of(struct rl_model *model, uint32_t first, const struct rl_launch *launch)
{
    if (launch->number == RL_NO_NUMBER || model->record_count >= RL_IMPORT_MAX_SAMPLES)
        return NULL;
    const uint64_t key = record_key(model, first, launch);
    struct rl_mapped_ *place = place_of(&model->record_of, key);
    if (!place->key) {
        *place = (struct rl_mapped_){key, (uint32_t)model->record_count};
        model->record_of.count++;
        RL_GROW(model->records, model->record_count + 1, model->record_cap);
        struct rl_record *record = &model->records[model->record_count++];
        *record = (struct rl_record){.class_number = UINT32_MAX, .duration_s = NAN};
        for (size_t i = 0; i < RL_WORK_COUNT; i++)
            record->work[i] = NAN;
    }
    return &model->records[place->number];
}

const struct rl_record *rl_record_known(const struct rl_model *model, uint32_t first, const struct rl_launch *launch)
{
    if (launch->number == RL_NO_NUMBER || !model->known_of.count)
        return NULL;
    const struct rl_mapped_ *place = find_place(&model->known_of, record_key(model, first, launch));
    return place->key ? &model->known[place->number] : NULL;
}

static void count_launches(struct rl_model *model, struct rl_class *class, const struct rl_launch *launch, struct rl_record *record)
{
    if (!isnan(launch->start) && launch->timing >= class->times.timing) {
        class->times.started++;
        return;
    }
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

static void add_sample(struct rl_model *model, struct rl_class *class, uint64_t duration_ns, double start)
{
    if (class->times.sample_count == RL_IMPORT_MAX_SAMPLES_OF_CLASS || model->sample_count == RL_IMPORT_MAX_SAMPLES) {
        rl_notes_add(&model->notes, RL_NOTE_too_many_samples, rl_pool_text(&model->names, class->name));
        return;
    }
    RL_APPEND(class->times.samples, class->times.sample_count, class->times.sample_cap, duration_ns);
    model->sample_count++;
    if (isnan(start))
        return;
    RL_APPEND(class->times.starts, class->times.start_count, class->times.start_cap, start);
    if (class->times.part_count && class->times.parts[class->times.part_count - 1].table == model->table)
        return;
    RL_APPEND(class->times.parts, class->times.part_count, class->times.part_cap,
              (struct rl_part_){model->table, class->times.start_count - 1});
}

static bool is_average(enum rl_timing timing)
{
    return timing == RL_TIMING_NVPROF_SUMMARY || timing == RL_TIMING_NSYS_SUMMARY || timing == RL_TIMING_NCU_SUMMARY;
}

static void take_times(struct rl_model *model, struct rl_class *class, const struct rl_launch *launch, struct rl_record *record)
{
    const double total = isnan(launch->total_s) ? launch->duration_s * (double)launch->launches : launch->total_s;

    if (isnan(launch->duration_s) || launch->timing < class->times.timing)
        return;
    if (!rl_is_size(launch->duration_s, longest_s) || launch->duration_s == 0 || !rl_is_size(total, longest_s)) {
        rl_notes_add(&model->notes, RL_NOTE_duration, rl_pool_text(&model->names, class->name));
        return;
    }
    if (launch->timing > class->times.timing) {
        class->times.started -= !isnan(launch->start); /* counted, but of this timing */
        class->launches = class->times.started > class->launches ? class->times.started : class->launches;
        model->sample_count -= class->times.sample_count;
        class->times.sample_count = class->times.start_count = class->times.part_count = 0;
        class->times.total_ns = class->times.timed = class->times.started = 0;
        class->times.started = !isnan(launch->start);
        class->times.timing = launch->timing;
        class->timing_view = model->view;
    }
    const bool numbered = launch->number != RL_NO_NUMBER, average = is_average(launch->timing);
    if (record && record->timed)
        return;
    if (record)
        record->timed = true;
    if (numbered || !isnan(launch->start) ||
        class->timing_view == model->view) { /* another view of the same launches adds samples, not launches */
        class->times.total_ns = sum_of(class->times.total_ns, (uint64_t)llround(total * 1e9));
        class->times.timed = sum_of(class->times.timed, launch->launches);
    }
    if (average && class->times.sample_count) /* an average of averages, by their launches */
        class->times.samples[0] = class->times.total_ns / class->times.timed;
    else
        add_sample(model, class, (uint64_t)llround(launch->duration_s * 1e9), launch->start);
}

/* A launch of a trace, of one of several tables. */
struct started {
    double start;
    uint64_t ns;
    uint32_t table;
};

RL_COMPARATOR(by_start, struct started, x->start < y->start ? -1 : x->start > y->start ? 1 : rl_ascending(x->ns, y->ns)
              ?: rl_ascending(x->table, y->table));

static struct started *started_of(const struct rl_class *class)
{
    struct started *rows = rl_calloc(class->times.sample_count, sizeof *rows);

    for (size_t i = 0, part = 0; i < class->times.sample_count; i++) {
        while (part + 1 < class->times.part_count && class->times.parts[part + 1].first <= i)
            part++;
        rows[i] = (struct started){class->times.starts[i], class->times.samples[i], class->times.parts[part].table};
    }
    rl_sort(rows, class->times.sample_count, sizeof *rows, by_start);
    return rows;
}

static bool is_in_order(const struct rl_class *class)
{
    for (size_t i = 1; i < class->times.start_count; i++)
        if (class->times.starts[i] < class->times.starts[i - 1])
            return false;
    return class->times.part_count < 2;
}

void rl_class_settle_times(struct rl_model *model, struct rl_class *class)
{
    uint64_t total_ns = 0;
    size_t kept = 0;

    if (class->times.start_count > 0 && class->times.start_count == class->times.sample_count &&
        class->times.started == class->times.start_count && !is_in_order(class)) {
        struct started *rows = started_of(class);
        for (size_t first = 0, end; first < class->times.sample_count; first = end) {
            size_t most = 0, here = 0; /* launches that start and end together, in one table */
            for (end = first;
                 end < class->times.sample_count && rows[end].start <= rows[first].start && rows[end].ns == rows[first].ns; end++) {
                here = end > first && rows[end].table == rows[end - 1].table ? here + 1 : 1;
                most = here > most ? here : most;
            }
            for (size_t i = 0; i < most; i++)
                class->times.samples[kept++] = rows[first].ns;
            total_ns = sum_of(total_ns, most * rows[first].ns);
        }
        free(rows);
        model->sample_count -= class->times.sample_count - kept;
        class->times.sample_count = kept;
        class->times.started = class->times.timed = kept;
        class->times.total_ns = total_ns;
    }
    class->launches = class->times.started > class->launches ? class->times.started : class->launches;
    class->times.start_count = class->times.part_count = 0;
}

void rl_class_release_times(struct rl_class *class)
{
    RL_FREE(class->times.samples, class->times.starts, class->times.parts);
    class->times = (struct rl_class_times){0};
}

void rl_class_merge_times(struct rl_class *class, struct rl_class *from, bool other)
{
    if (other && from->times.timing == class->times.timing && class->times.timing) {
        RL_GROW(class->times.samples, class->times.sample_count + from->times.sample_count, class->times.sample_cap);
        if (from->times.sample_count)
            memcpy(class->times.samples + class->times.sample_count, from->times.samples,
                   from->times.sample_count * sizeof *from->times.samples);
        RL_GROW(class->times.starts, class->times.start_count + from->times.start_count, class->times.start_cap);
        if (from->times.start_count)
            memcpy(class->times.starts + class->times.start_count, from->times.starts,
                   from->times.start_count * sizeof *from->times.starts);
        RL_GROW(class->times.parts, class->times.part_count + from->times.part_count, class->times.part_cap);
        for (size_t i = 0; i < from->times.part_count; i++)
            class->times.parts[class->times.part_count++] =
                (struct rl_part_){from->times.parts[i].table, class->times.start_count + from->times.parts[i].first};
        class->times.start_count += from->times.start_count;
        class->times.started = sum_of(class->times.started, from->times.started);
        class->times.sample_count += from->times.sample_count;
        class->times.total_ns = sum_of(class->times.total_ns, from->times.total_ns);
        class->times.timed = sum_of(class->times.timed, from->times.timed);
        from->times.sample_count = from->times.start_count = from->times.part_count = 0;
        from->times.started = 0;
    }
    /* Equally good: those of more launches, then the shorter ones, not those that were read first. */
    if (from->times.timing < class->times.timing ||
        (from->times.timing == class->times.timing &&
         (from->times.timed < class->times.timed ||
          (from->times.timed == class->times.timed && from->times.total_ns >= class->times.total_ns))))
        return;
    const struct rl_class_times worse = class->times;
    class->times = from->times;
    class->launches = worse.started > class->launches ? worse.started : class->launches;
    from->times = worse;
    rl_class_release_times(from);
}

/* ---- values ---- */

static bool is_entry(const struct rl_model *model, size_t entry, uint32_t class_number, uint32_t slot)
{
    return entry < model->entry_count && model->entries[entry].class_number == class_number && model->entries[entry].slot == slot;
}

/* Foreign metrics have a separate limit, so that ours always have room. */
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
    if (is_entry(model, model->cursor + 1, class_number, slot))
        return &model->entries[++model->cursor];
    struct rl_mapped_ *place = place_of(&model->entry_of, ((uint64_t)class_number + 1) << 32 | slot);
    if (!place->key) {
        if (!has_room(model, &model->classes[class_number], &model->targets.slots[slot]))
            return NULL;
        *place = (struct rl_mapped_){((uint64_t)class_number + 1) << 32 | slot, (uint32_t)model->entry_count};
        model->entry_of.count++;
        RL_APPEND(model->entries, model->entry_count, model->entry_cap,
                  (struct rl_entry){.class_number = class_number, .slot = slot, .source = (uint8_t)model->source});
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

bool rl_model_move_entry(struct rl_model *model, size_t entry, uint32_t class_number)
{
    struct rl_entry *from = &model->entries[entry];
    struct rl_mapped_ *place = place_of(&model->entry_of, ((uint64_t)class_number + 1) << 32 | from->slot);

    from->class_number = class_number;
    if (place->key) {
        struct rl_entry *into = &model->entries[place->number];
        if (from->weight > 0)
            merge(into, model->targets.slots[into->slot].merge, from->value, from->weight);
        into->varies |= from->varies;
        into->values += from->values;
        into->missing = into->missing ? into->missing : from->missing;
        if (from->by && from->by != RL_BY_SEVERAL)
            weigh(into, from->by, from->ratio, from->total);
        else if (from->by)
            into->by = RL_BY_SEVERAL;
        return false;
    }
    *place = (struct rl_mapped_){((uint64_t)class_number + 1) << 32 | from->slot, (uint32_t)entry};
    model->entry_of.count++;
    return true;
}

/* ---- launches whose counters are kept ---- */

/* The same for a launch in all tables and files that have it; 0: nothing is. */
static uint64_t launch_key(const struct rl_model *model, const struct rl_class *class, const struct rl_launch *launch)
{
    uint64_t bits[2] = {0};

    if (launch->number != RL_NO_NUMBER)
        return record_key(model, class->first_kind, launch);
    if (isnan(launch->start))
        return 0;
    memcpy(&bits[0], &launch->start, sizeof bits[0]);
    memcpy(&bits[1], &launch->duration_s, sizeof bits[1]);
    return mixed(mixed(bits[0]) ^ bits[1]) ^ class->shape;
}

/* The place of the launch among those that are kept; NULL beyond the limits. */
static struct rl_kept_launch *keep_launch(struct rl_model *model, uint32_t number, const struct rl_launch *launch)
{
    struct rl_class *class = &model->classes[number];
    const uint64_t key = launch_key(model, class, launch);
    struct rl_mapped_ *place = key ? place_of(&model->kept_of, key) : NULL;

    if (place && place->key)
        return &model->kept[place->number];
    if (class->kept == RL_IMPORT_MAX_LAUNCHES_OF_CLASS || model->kept_count == RL_IMPORT_MAX_LAUNCHES) {
        rl_notes_add(&model->notes, RL_NOTE_too_many_launches, rl_pool_text(&model->names, class->name));
        return NULL;
    }
    if (place) {
        *place = (struct rl_mapped_){key, (uint32_t)model->kept_count};
        model->kept_of.count++;
    }
    class->kept++;
    RL_GROW(model->kept, model->kept_count + 1, model->kept_cap);
    struct rl_kept_launch *kept = &model->kept[model->kept_count++];
    *kept =
        (struct rl_kept_launch){launch->number == RL_NO_NUMBER ? model->launch_count : launch->number, number, launch->run, NAN};
    return kept;
}

static void keep_values(struct rl_model *model, uint32_t number, const struct rl_launch *launch)
{
    struct rl_kept_launch *kept = NULL;

    for (size_t i = 0; i < launch->value_count && launch->launches == 1 && !launch->repeated; i++) {
        const struct rl_launch_value_ *value = &launch->values[i];
        if (!model->targets.slots[value->slot].kept)
            continue;
        kept = kept ? kept : keep_launch(model, number, launch);
        if (!kept)
            return;
        if (model->kept_value_count == RL_IMPORT_MAX_LAUNCH_VALUES) {
            rl_notes_add(&model->notes, RL_NOTE_too_many_launches, rl_pool_text(&model->names, model->classes[number].name));
            break;
        }
        RL_APPEND(
            model->kept_values, model->kept_value_count, model->kept_value_cap,
            (struct rl_kept_value){
                .value = value->value, .launch = (uint32_t)(kept - model->kept), .slot = value->slot, .missing = value->missing});
    }
    if (kept && launch->duration_s > 0)
        kept->duration_s = launch->duration_s;
}

void rl_class_take(struct rl_model *model, uint32_t number, const struct rl_launch *launch, struct rl_record *record)
{
    assert(number < model->class_count);
    const double registers = launch->fields[RL_LAUNCH_registers], shared = launch->fields[RL_LAUNCH_static_shared];
    if (!rl_present(model->classes[number].registers) && rl_is_size(registers, INT32_MAX))
        model->classes[number].registers = rl_value_of(registers);
    if (!rl_present(model->classes[number].static_shared) && rl_is_size(shared, INT32_MAX))
        model->classes[number].static_shared = rl_value_of(shared);
    count_launches(model, &model->classes[number], launch, record);
    take_times(model, &model->classes[number], launch, record);
    for (size_t i = 0; i < launch->value_count; i++) {
        const struct rl_launch_value_ *value = &launch->values[i];
        struct rl_entry *entry = find_entry(model, number, value->slot);
        if (!entry || entry->serial == model->serial)
            continue;
        entry->serial = model->serial;
        if (entry->source != model->source)
            entry->source = RL_SOURCE_SEVERAL;
        entry->values += entry->values < UINT32_MAX;
        if (value->missing) {
            entry->missing = value->missing;
            continue;
        }
        merge(entry, model->targets.slots[value->slot].merge, value->value, (double)launch->launches);
        weigh_value(model, entry, value);
    }
    keep_values(model, number, launch);
}

#include "build.h"

#include "import/import.h"
#include "reader.h"

static const struct {
    const char *name;
    enum rl_dimension dimension;
} quantities[RL_QUANTITY_COUNT] = {
#define QUANTITY(id, dimension) {#id, RL_DIMENSION_##dimension},
#include "published.def"
};

/* ---- rows ---- */

/* The dimension that a metric's unit has among printed ones. */
static enum rl_dimension dimension_of(enum rl_unit unit)
{
    static const struct {
        enum rl_unit unit;
        enum rl_dimension dimension;
    } known[] = {
        {RL_UNIT_SECOND, RL_DIMENSION_SECOND},
        {RL_UNIT_BYTE, RL_DIMENSION_BYTE},
        {RL_UNIT_BYTE_PER_SECOND, RL_DIMENSION_BYTE_PER_SECOND},
        {RL_UNIT_HERTZ, RL_DIMENSION_HERTZ},
        {RL_UNIT_FRACTION, RL_DIMENSION_FRACTION},
    };

    const size_t at = RL_FIRST(i, RL_COUNT(known), known[i].unit == unit);
    return at < RL_COUNT(known) ? known[at].dimension : RL_DIMENSION_NONE;
}

static bool find_quantity(struct rl_text name, struct rl_published_row *row, enum rl_dimension *dimension)
{
    for (size_t i = 0; i < RL_QUANTITY_COUNT; i++) {
        if (rl_text_is(name, quantities[i].name)) {
            row->quantity = (enum rl_quantity)i;
            *dimension = quantities[i].dimension;
            return true;
        }
    }
    for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
        if (rl_text_is(name, rl_metrics[i].id)) {
            row->quantity = RL_QUANTITY_METRIC;
            row->metric = (enum rl_metric)i;
            *dimension = dimension_of(rl_metrics[i].unit);
            return true;
        }
    }
    return false;
}

/* A count may be printed without a unit, or with the name of what is counted; the unit of a problem size is any word. */
static bool fits(struct rl_printed_unit unit, enum rl_dimension wanted)
{
    return wanted == RL_DIMENSION_UNKNOWN || unit.dimension == wanted ||
           ((wanted == RL_DIMENSION_COUNT || wanted == RL_DIMENSION_NONE) &&
            (unit.dimension == RL_DIMENSION_NONE || unit.dimension == RL_DIMENSION_COUNT || unit.dimension == RL_DIMENSION_RATIO));
}

static bool read_value(const struct rl_reader *reader, enum rl_dimension wanted, double *value)
{
    const struct rl_cell cell = rl_cell_read(rl_row_cell(reader, RL_COLUMN_figure), RL_POINT);
    const struct rl_printed_unit unit = rl_unit_read(rl_row_cell(reader, RL_COLUMN_figure_unit), RL_DECIMAL);

    if (cell.kind != RL_CELL_NUMBER || cell.unit.len || !fits(unit, wanted))
        return false;
    *value = cell.number * (wanted == RL_DIMENSION_UNKNOWN ? 1 : unit.factor);
    return isfinite(*value) && *value >= 0;
}

static uint32_t keep(struct rl_reader *reader, enum rl_column column)
{
    return rl_pool_add(&reader->model->names, rl_row_cell(reader, column));
}

/* Every cell counts: a figure without its source is none. */
bool rl_row_published(struct rl_reader *reader)
{
    static const enum rl_column texts[] = {RL_COLUMN_card, RL_COLUMN_experiment, RL_COLUMN_variant, RL_COLUMN_source};
    struct rl_published_row row = {.metric = RL_METRIC_COUNT};
    enum rl_dimension wanted;

    if (rl_record_count(reader->record) != reader->table.column_count)
        return rl_row_damaged(reader);
    for (size_t i = 0; i < RL_COUNT(texts); i++) {
        const struct rl_text text = rl_row_cell(reader, texts[i]);
        if (text.len == 0 || text.len > 4096)
            return rl_row_damaged(reader);
    }
    if (reader->model->published_count >= RL_IMPORT_MAX_FIGURES)
        rl_notes_add(&reader->model->notes, RL_NOTE_too_many_figures, rl_text_of(""));
    else if (!find_quantity(rl_row_cell(reader, RL_COLUMN_quantity), &row, &wanted) || !read_value(reader, wanted, &row.value))
        rl_notes_add(&reader->model->notes, RL_NOTE_figure, rl_row_cell(reader, RL_COLUMN_quantity));
    else {
        struct rl_model *model = reader->model;

        row.card = keep(reader, RL_COLUMN_card);
        row.experiment = keep(reader, RL_COLUMN_experiment);
        row.variant = keep(reader, RL_COLUMN_variant);
        row.source = keep(reader, RL_COLUMN_source);
        row.unit = keep(reader, RL_COLUMN_figure_unit);
        RL_APPEND(model->published, model->published_count, model->published_cap, row);
        model->launch_count++; /* the file has something in it */
    }
    return true;
}

/* ---- the capture ---- */

struct made {
    struct rl_model *model;
    struct rl_capture *capture;
    const struct rl_published_row *row; /* the present one */
};

static char *text_of(const struct made *made, uint32_t number)
{
    return rl_capture_text(made->capture, rl_pool_text(&made->model->names, number).at);
}

static bool is_named(const struct made *made, const char *text, uint32_t number)
{
    return strcmp(text, rl_pool_text(&made->model->names, number).at) == 0;
}

static size_t card_of(const struct made *made)
{
    struct rl_capture *capture = made->capture;

    for (size_t i = 0; i < capture->gpu_count; i++)
        if (is_named(made, capture->gpus[i].name, made->row->card))
            return i;
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    gpu->index = (int)capture->gpu_count - 1;
    rl_card_of_name(gpu, rl_pool_text(&made->model->names, made->row->card).at, capture);
    return capture->gpu_count - 1;
}

static size_t experiment_of(const struct made *made)
{
    struct rl_capture *capture = made->capture;

    for (size_t i = 0; i < capture->experiment_count; i++)
        if (is_named(made, capture->experiments[i].name, made->row->experiment))
            return i;
    struct rl_experiment *experiment = rl_capture_add_experiment(capture);
    experiment->name = text_of(made, made->row->experiment);
    experiment->topic = rl_capture_text(capture, "published figures");
    experiment->question = rl_capture_text(capture, "What have others measured?");
    experiment->explanation = rl_capture_text(capture, "Read, not measured: nothing but what is printed there is known.");
    experiment->source = text_of(made, made->row->source);
    return capture->experiment_count - 1;
}

/* A variant has one kernel class, which carries what its launch and its counters would tell. */
static void add_kernel(const struct made *made, size_t variant)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(made->capture);
    RL_SCRATCH name = RL_BUF_INIT;

    rl_buf_addf(&name, "%s/%s", rl_pool_text(&made->model->names, made->row->experiment).at,
                rl_pool_text(&made->model->names, made->row->variant).at);
    kernel->gpu = made->capture->variants[variant].gpu;
    kernel->variant = variant;
    kernel->name = rl_capture_text(made->capture, name.data);
    kernel->nvtx = rl_capture_text(made->capture, name.data);
    kernel->block[0] = 0;
    kernel->launches = kernel->launches_per_run = 1;
}

/* Variants and kernels have the same index. */
static size_t variant_of(const struct made *made)
{
    const size_t gpu = card_of(made), experiment = experiment_of(made);
    struct rl_capture *capture = made->capture;
    struct rl_variant *variant;

    for (size_t i = 0; i < capture->variant_count; i++) {
        variant = &capture->variants[i];
        if (variant->gpu == gpu && variant->experiment == experiment && is_named(made, variant->name, made->row->variant))
            return i;
    }
    variant = rl_capture_add_variant(capture);
    variant->gpu = gpu;
    variant->experiment = experiment;
    variant->name = text_of(made, made->row->variant);
    variant->description = text_of(made, made->row->source);
    variant->measure = rl_capture_text(capture, "kernel");
    variant->size_unit = rl_capture_text(capture, "");
    add_kernel(made, capture->variant_count - 1);
    return capture->variant_count - 1;
}

/* One sample; a second figure of the same kind is another measurement. Nothing that takes no time or years. */
static void take_seconds(const struct made *made, struct rl_kernel *kernel, double seconds)
{
    uint64_t *samples;

    if (!(seconds >= 1e-9) || seconds > 1e8) {
        rl_notes_add(&made->model->notes, RL_NOTE_duration, rl_text_of(kernel->name));
        return;
    }
    samples = rl_arena_alloc(&made->capture->arena, (kernel->duration_count + 1) * sizeof *samples);
    if (kernel->duration_count)
        memcpy(samples, kernel->duration_ns, kernel->duration_count * sizeof *samples);
    samples[kernel->duration_count++] = (uint64_t)llround(seconds * 1e9);
    kernel->duration_ns = samples;
    kernel->timing = rl_capture_text(made->capture, "published");
    kernel->launches = kernel->duration_count;
    kernel->total_ns += samples[kernel->duration_count - 1];
}

static uint64_t whole(double value)
{
    return value < 9e15 ? (uint64_t)llround(value) : 0;
}

static void take_row(const struct made *made)
{
    const size_t index = variant_of(made);
    struct rl_variant *variant = &made->capture->variants[index];
    struct rl_kernel *kernel = &made->capture->kernels[index];
    const double value = made->row->value;

    if (made->row->quantity == RL_QUANTITY_duration)
        take_seconds(made, kernel, value);
    else if (made->row->quantity == RL_QUANTITY_METRIC) {
        assert(index < made->capture->kernel_count);
        struct rl_counter *counter = rl_capture_add_counter(made->capture, index);
        counter->kind = RL_METRIC_VALUE;
        counter->name = rl_capture_text(made->capture, rl_metrics[made->row->metric].id);
        counter->value = rl_value_of(made->row->value);
        counter->pass = RL_NONE;
    } else if (made->row->quantity == RL_QUANTITY_useful_bytes)
        variant->useful_bytes = rl_value_of(value);
    else if (made->row->quantity == RL_QUANTITY_operations)
        variant->operations = rl_value_of(value);
    else if (made->row->quantity == RL_QUANTITY_registers_per_thread)
        kernel->registers_per_thread = rl_value_of(value);
    else if (made->row->quantity == RL_QUANTITY_static_shared_bytes)
        kernel->static_shared_bytes = rl_value_of(value);
    else if (made->row->quantity == RL_QUANTITY_dynamic_shared_bytes)
        kernel->dynamic_shared_bytes = whole(value);
    else if (made->row->quantity == RL_QUANTITY_threads_per_block && value <= UINT32_MAX)
        memcpy(kernel->block, (uint32_t[3]){(uint32_t)value, 1, 1}, sizeof kernel->block);
    else if (made->row->quantity == RL_QUANTITY_size) {
        variant->size = whole(value);
        variant->size_unit = text_of(made, made->row->unit);
    }
}

void rl_published_build(struct rl_model *model, struct rl_capture *capture)
{
    struct made made = {.model = model, .capture = capture};
    struct rl_session *session = &capture->session;

    assert(model->published_count);
    for (int rates = 0; rates < 2; rates++) {
        for (size_t i = 0; i < model->published_count; i++) {
            made.row = &model->published[i];
            if ((made.row->quantity == RL_QUANTITY_useful_bytes_per_second) != (rates == 1))
                continue;
            if (rates) {
                /* A rate is a time where the bytes are given: after all other rows, whatever their order. */
                const size_t index = variant_of(&made);
                const struct rl_value bytes = made.capture->variants[index].useful_bytes;
                struct rl_kernel *kernel = &made.capture->kernels[index];
                if (rl_present(bytes) && made.row->value > 0)
                    take_seconds(&made, kernel, bytes.v / made.row->value);
                else
                    rl_notes_add(&made.model->notes, RL_NOTE_rate, rl_text_of(kernel->name));
            } else
                take_row(&made);
        }
    }
    session->source = rl_capture_text(capture, "published");
    session->counters = rl_capture_text(capture, "published figures: imported, not measured by rooflight");
    session->complete = true;
    rl_notes_log(&model->notes, capture);
}

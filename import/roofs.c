/* roofs.c - roofs that mixbench and ERT (roofline-benchmark) have measured, for the GPUs of a capture. */
#include "build.h"
#include "core/core.h"
#include "json.h"
#include "reader.h"

/* Keeps a roof of the GPU with that name (len 0: no name is there): a literal id as in struct rl_ceiling_run, a rate in
 * base units, where it is from. Of several rates of one roof the highest stays; what is no rate is left out. */
static void roof_keep(struct rl_model *model, struct rl_text card, const char *id, enum rl_unit unit, double value,
                      const char *configuration)
{
    const uint32_t name = rl_pool_add(&model->names, card);

    if (!isfinite(value) || value <= 0)
        return;
    model->launch_count++; /* the file has something in it */
    for (size_t i = 0; i < model->roof_count; i++) {
        struct rl_roof *roof = &model->roofs[i];
        if (roof->card != name || strcmp(roof->id, id) != 0 ||
            strcmp(rl_pool_text(&model->names, roof->configuration).at, configuration) != 0)
            continue;
        roof->value = fmax(roof->value, value);
        return;
    }
    RL_APPEND(model->roofs, model->roof_count, model->roof_cap,
              (struct rl_roof){name, rl_pool_add(&model->names, rl_text_of(configuration)), id, unit, value});
}

/* ---- mixbench ---- */

/* A row: a number of iterations, then intensity, time, Gop/s and GB/s of each kind of operation, which the head names. */
bool rl_row_mixbench(struct rl_reader *reader)
{
    static const struct {
        const char *head, *id;
    } kinds[] = {{"Single Precision ops", "fp32"},
                 {"Double precision ops", "fp64"},
                 {"Half precision ops", "fp16"},
                 {"Integer operations", NULL}};
    const struct rl_table *table = &reader->table;
    const struct rl_text card = {reader->device.data, reader->device.len};
    RL_SCRATCH words = RL_BUF_INIT;
    unsigned long long iterations;

    if (!rl_whole_read(rl_record_cell(reader->record, 0), RL_POINT, &iterations))
        return rl_text_is(rl_record_cell(reader->record, 0), "Compute iters");
    rl_buf_addf(&words, "mixbench: %s", reader->label);
    for (size_t i = 0; i < table->column_count; i++) {
        for (size_t j = 0; j < RL_COUNT(kinds); j++) {
            if (!rl_text_is(table->heads[i], kinds[j].head))
                continue;
            const struct rl_cell rate = rl_cell_read(rl_record_cell(reader->record, i + 2), RL_POINT);
            const struct rl_cell bytes = rl_cell_read(rl_record_cell(reader->record, i + 3), RL_POINT);
            if (kinds[j].id && rate.kind == RL_CELL_NUMBER)
                roof_keep(reader->model, card, kinds[j].id, RL_UNIT_FLOP_PER_SECOND, 1e9 * rate.number, words.data);
            if (bytes.kind == RL_CELL_NUMBER)
                roof_keep(reader->model, card, "dram_read", RL_UNIT_BYTE_PER_SECOND, 1e9 * bytes.number, words.data);
        }
    }
    return true;
}

/* ---- ERT ---- */

struct walk {
    struct rl_model *model;
    const char *label;
    struct rl_json_path at;
    struct rl_buf name;
};

/* Roofs are pairs of a name and a number. */
static void take_roof(struct walk *walk, struct rl_text number)
{
    static const struct {
        const char *name, *id;
        enum rl_unit unit;
    } roofs[] = {{"DRAM", "dram_read", RL_UNIT_BYTE_PER_SECOND},   {"L2", "l2_read", RL_UNIT_BYTE_PER_SECOND},
                 {"L1", "l1_read", RL_UNIT_BYTE_PER_SECOND},       {"FP64 GFLOPs", "fp64", RL_UNIT_FLOP_PER_SECOND},
                 {"FP32 GFLOPs", "fp32", RL_UNIT_FLOP_PER_SECOND}, {"FP16 GFLOPs", "fp16", RL_UNIT_FLOP_PER_SECOND}};
    const struct rl_text name = {walk->name.data, walk->name.len};
    const struct rl_cell cell = rl_cell_read(number, RL_POINT);
    RL_SCRATCH words = RL_BUF_INIT;
    size_t i = 0;

    while (i < RL_COUNT(roofs) && !rl_text_is(name, roofs[i].name))
        i++;
    rl_buf_addf(&words, "ERT: %s", walk->label);
    if (i < RL_COUNT(roofs) && cell.kind == RL_CELL_NUMBER)
        roof_keep(walk->model, rl_text_of(""), roofs[i].id, roofs[i].unit, 1e9 * cell.number, words.data);
    else
        rl_notes_add(&walk->model->notes, RL_NOTE_figure, name);
}

static void take(void *context, enum rl_json_kind kind, struct rl_text text)
{
    struct walk *walk = context;

    rl_json_path_step(&walk->at, kind, text);
    if (!rl_json_path_is(&walk->at, "empirical.gbytes.data") && !rl_json_path_is(&walk->at, "empirical.gflops.data"))
        return;
    if (kind == RL_JSON_NUMBER) {
        take_roof(walk, text);
    } else if (kind == RL_JSON_STRING) {
        rl_buf_reset(&walk->name);
        rl_buf_add(&walk->name, text.at, text.len < 4096 ? text.len : 4096);
    }
}

bool rl_ert_begins(struct rl_text start)
{
    return rl_text_find(start, "\"empirical\"") < start.len;
}

enum rl_status rl_ert_read(struct rl_model *model, struct rl_lines *lines, const char *label, struct rl_err *err)
{
    struct walk walk = {.model = model, .label = label, .name = RL_BUF_INIT};
    const size_t known = model->launch_count;
    bool cut = false;
    enum rl_status status = rl_json_read(lines, take, &walk, &cut, err);

    if (status == RL_OK && model->launch_count == known)
        status = rl_err_set(err, RL_FORMAT, "results of ERT without a roof that is read");
    if (status != RL_OK)
        rl_err_context(err, status, "'%s'", label);
    else if (cut)
        rl_notes_add(&model->notes, RL_NOTE_cut_off, rl_text_of(label));
    rl_json_path_release(&walk.at);
    rl_buf_release(&walk.name);
    return status;
}

/* ---- the capture ---- */

void rl_roofs_give(struct rl_model *model, struct rl_capture *capture)
{
    for (size_t i = 0; i < model->roof_count; i++) {
        const struct rl_roof *roof = &model->roofs[i];
        const struct rl_text card = rl_pool_text(&model->names, roof->card);
        size_t gpu = card.len || capture->gpu_count != 1 ? RL_NONE : 0;
        for (size_t j = 0; j < capture->gpu_count && card.len; j++)
            if (rl_text_is(card, capture->gpus[j].name) ||
                (capture->gpu_count == 1 && strncmp(capture->gpus[j].name, "unknown GPU", 12) == 0))
                gpu = j;
        if (gpu == RL_NONE) {
            rl_notes_add(&model->notes, RL_NOTE_other_roof, rl_pool_text(&model->names, roof->configuration));
            continue;
        }
        struct rl_ceiling_run *run = rl_capture_add_ceiling(capture);
        run->gpu = gpu;
        run->id = rl_capture_text(capture, roof->id);
        run->unit = roof->unit;
        run->configuration = rl_capture_text(capture, rl_pool_text(&model->names, roof->configuration).at);
        run->samples = rl_arena_alloc(&capture->arena, sizeof *run->samples);
        run->samples[0] = roof->value;
        run->sample_count = 1;
    }
}

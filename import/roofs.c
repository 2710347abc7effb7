/* roofs.c - roofs that others have measured, for the GPUs of a capture. */
#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "model.h"

void rl_roof_keep(struct rl_model *model, struct rl_text card, const char *id, enum rl_unit unit, double value,
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
    RL_GROW(model->roofs, model->roof_count + 1, model->roof_cap);
    model->roofs[model->roof_count++] =
        (struct rl_roof){name, rl_pool_add(&model->names, rl_text_of(configuration)), id, unit, value};
}

void rl_roofs_give(struct rl_model *model, struct rl_capture *capture)
{
    for (size_t i = 0; i < model->roof_count; i++) {
        const struct rl_roof *roof = &model->roofs[i];
        const struct rl_text card = rl_pool_text(&model->names, roof->card);
        size_t gpu = card.len || capture->gpu_count != 1 ? RL_NONE : 0;
        for (size_t j = 0; j < capture->gpu_count && card.len; j++)
            if (rl_text_is(card, capture->gpus[j].name) ||
                (capture->gpu_count == 1 && strncmp(capture->gpus[j].name, "unknown card", 12) == 0))
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

/* cards.c - the GPUs of a capture: what the files say of them, and what their makers do. */

#include "analysis/cards.h"
#include "analysis/plan.h"
#include "build.h"

/* The only chip with this compute capability; NULL when there are several, or none is known. */
static const char *chip_of(const struct rl_card *card)
{
    const int capability = 10 * card->cc_major + card->cc_minor;
    const char *found = NULL;

    for (size_t i = 0; i < rl_chip_count; i++) {
        if (rl_chips[i].cc != capability)
            continue;
        if (found)
            return NULL;
        found = rl_chips[i].name;
    }
    return found;
}

static size_t fill(const struct rl_card_info *info, struct rl_gpu *gpu, struct rl_capture *capture)
{
    const struct rl_chip *chip = rl_chip_find(info->chip);

    gpu->cc_major = chip->cc / 10;
    gpu->cc_minor = chip->cc % 10;
    gpu->chip = rl_capture_text(capture, info->chip);
    return rl_card_fill_facts(info, gpu->fact);
}

void rl_card_of_name(struct rl_gpu *gpu, const char *name, struct rl_capture *capture)
{
    const struct rl_card_info *info = rl_card_find(name);

    gpu->name = rl_capture_text(capture, name);
    if (info)
        (void)fill(info, gpu, capture);
}

/* Fills in facts of the GPU that the files lack from the maker's: chip, SMs, clocks, memory. A GPU of another compute capability
 * is another GPU, whatever it is called. `given`: the name is not from the files. */
static void look_up(struct rl_model *model, struct rl_capture *capture, struct rl_gpu *gpu, bool given)
{
    const struct rl_card_info *info = rl_card_find(gpu->name);
    const struct rl_chip *chip = info ? rl_chip_find(info->chip) : NULL;

    if (!info && given)
        rl_notes_add(&model->notes, RL_NOTE_card_unknown, rl_text_of(gpu->name));
    if (!info)
        return;
    if (gpu->cc_major && gpu->cc_major * 10 + gpu->cc_minor != chip->cc) {
        char capability[32];

        snprintf(capability, sizeof capability, "%d.%d", gpu->cc_major, gpu->cc_minor);
        rl_notes_add(&model->notes, RL_NOTE_card_other, rl_text_of(capability));
        return;
    }
    if (fill(info, gpu, capture))
        rl_notes_add(&model->notes, RL_NOTE_card_facts, rl_text_of(info->id));
}

void rl_cards_add(struct rl_model *model, const char *name, struct rl_capture *capture)
{
    bool used = false;

    for (size_t i = 0; i < model->card_count; i++) {
        const struct rl_card *card = &model->cards[i];
        struct rl_gpu *gpu = rl_capture_add_gpu(capture);
        used |= !card->name;
        gpu->index = card->ordinal < 0 ? 0 : card->ordinal;
        gpu->chip = rl_capture_text(capture, chip_of(card));
        gpu->name = card->name  ? rl_capture_text(capture, card->name)
                    : name      ? rl_capture_text(capture, name)
                    : gpu->chip ? rl_arena_printf(&capture->arena, "unknown GPU (%s)", gpu->chip)
                                : rl_capture_text(capture, "unknown GPU");
        gpu->cc_major = card->cc_major;
        gpu->cc_minor = card->cc_minor;
        memcpy(gpu->fact, card->fact, sizeof gpu->fact);
        look_up(model, capture, gpu, !card->name && name);
    }
    if (name && !used)
        rl_notes_add(&model->notes, RL_NOTE_card_ignored, rl_text_of(name));
}

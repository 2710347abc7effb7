/* passes.c - passes of a plan, found once for a GPU (availability.h). */
#include "availability.h"
#include "handout.h"
#include "host.h"

/* An image among the notes, and the name of the file for the plan of its chip. */
struct image {
    char *chip;
    const uint8_t *bytes;
    struct rl_buf file;
};

/* False: the note is no image, or there is no plan for it. */
static bool find_plan_of(const struct rl_handout_note *note, const struct rl_buf *plans, struct image *image)
{
    const size_t beginning = strlen(RL_AVAILABILITY_NOTE);
    RL_SCRATCH plan = RL_BUF_INIT;
    size_t len = 0;
    *image = (struct image){.file = RL_BUF_INIT};
    if (note->name_len < beginning || memcmp(note->name, RL_AVAILABILITY_NOTE, beginning) != 0)
        return false;
    const char *name = note->name + beginning, *dot = memchr(name, '.', note->name_len - beginning);
    if (!dot)
        return false;
    image->chip = rl_strndup(name, (size_t)(dot - name));
    image->bytes = (const uint8_t *)note->text;
    rl_buf_addf(&plan, RL_HANDOUT_PLAN "%s", image->chip);
    const char *text = rl_handout_find(plans->data, plans->len, plan.data, &len);
    if (!text) {
        free(image->chip);
        return false;
    }
    rl_buf_addf(&image->file, RL_PASSES_NOTE "%.*s.%.16s", (int)(note->name_len - beginning), name, rl_sha256_of(text, len).hex);
    return true;
}

static void release_image(struct image *image)
{
    free(image->chip);
    rl_buf_release(&image->file);
}

void rl_passes_give(struct rl_buf *notes)
{
    RL_SCRATCH found = RL_BUF_INIT;
    struct rl_handout_note note;
    struct image image;
    for (size_t at = 0; rl_handout_next(notes->data, notes->len, &at, &note);) {
        RL_SCRATCH name = RL_BUF_INIT, text = RL_BUF_INIT;
        if (!find_plan_of(&note, notes, &image))
            continue;
        rl_buf_addf(&name, RL_PASSES_NOTE "%s", image.chip);
        if (rl_availability_read(image.file.data, &text))
            rl_handout_add(&found, name.data, &text);
        release_image(&image);
    }
    rl_buf_add(notes, found.data, found.len);
}

static void add_passes(const struct rl_config *configs, size_t count, const struct rl_configuration *wanted, struct rl_buf *text)
{
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; i < configs[p].counter_count; i++)
            rl_buf_addf(text, "%s\t%s\t%s\t%s\n", configs[p].name, wanted->rare ? RL_HANDOUT_RARE : "0",
                        wanted->when ? wanted->when : "", configs[p].counters[i]);
}

/* False: a configuration has no passes. */
static bool find_passes(const struct image *image, const struct rl_configuration *wanted, size_t count, struct rl_buf *text)
{
    bool good = true;
    for (size_t c = 0; c < count && good; c++) {
        RL_FREED struct rl_config *configs = NULL;
        size_t passes = 0;
        RL_FREED bool *available = rl_calloc(wanted[c].counter_count, sizeof *available);
        if (!wanted[c].of_device && wanted[c].counter_count) {
            good = rl_host_pack(image->chip, image->bytes, &wanted[c], available, &configs, &passes, NULL) == RL_OK;
            add_passes(configs, passes, &wanted[c], text);
        }
        for (size_t p = 0; p < passes; p++)
            rl_config_release(&configs[p]);
    }
    return good;
}

void rl_passes_keep(const struct rl_buf *notes, rl_collect_plan plan, void *context)
{
    const struct rl_configuration *wanted = NULL;
    RL_SCRATCH images = RL_BUF_INIT;
    struct rl_handout_note note;
    struct image image;
    size_t count = 0;
    rl_availability_give(&images);
    for (size_t at = 0; rl_handout_next(images.data, images.len, &at, &note);) {
        RL_SCRATCH text = RL_BUF_INIT;
        if (!find_plan_of(&note, notes, &image))
            continue;
        if (!rl_availability_read(image.file.data, &text) && rl_cupti_open(NULL, NULL) == RL_OK) {
            plan(context, image.chip, &wanted, &count);
            if (find_passes(&image, wanted, count, &text))
                rl_availability_write(image.file.data, text.data, text.len);
        }
        release_image(&image);
    }
}

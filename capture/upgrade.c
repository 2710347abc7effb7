/* upgrade.c - typed facts from the words of captures of versions 1 to 4 (see upgrade.h). */
#include "upgrade.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/mem.h"

/* ---- deviations: "33554432 elements, largest error 4.5e-8; a sample of ..." ---- */

static void upgrade_deviation(struct rl_variant *variant)
{
    static const char before[] = "largest error ";
    const char *text = variant->result_text ? variant->result_text : "", *at = strstr(text, before);
    double largest = 0, compared = 0;
    if (!at)
        return;
    at += strlen(before);
    if (!rl_number_parse(at, strcspn(at, "; "), &largest) || largest < 0)
        return;
    const bool counted = rl_number_parse(text, strcspn(text, " "), &compared) && compared >= 0 && compared < 0x1p53;
    variant->deviation.kind = RL_DEVIATION_ABSOLUTE;
    variant->deviation.largest = largest;
    variant->deviation.compared = counted ? (uint64_t)compared : 0;
}

/* ---- configurations: "read once, 4.00 GiB, 512 threads, 4 x 16 B per thread" ---- */

enum { MOST_SETTINGS = RL_MOST_PHRASES * RL_PHRASE_KEYS };

/* Settings of one configuration while it is read. */
struct found {
    struct rl_capture *capture;
    struct rl_setting settings[MOST_SETTINGS];
    size_t count;
};

static void add_number(struct found *found, const char *key, enum rl_unit unit, double number)
{
    if (found->count < MOST_SETTINGS)
        found->settings[found->count++] = (struct rl_setting){key, unit, rl_value_of(number), NULL};
}

static void add_text(struct found *found, const char *key, const char *text, size_t len)
{
    if (found->count < MOST_SETTINGS)
        found->settings[found->count++] = (struct rl_setting){key, RL_UNIT_NONE, rl_value_missing(RL_UNDEFINED, "a text"),
                                                              rl_arena_strndup(&found->capture->arena, text, len)};
}

static struct rl_setting *keep(struct found *found)
{
    assert(found->count <= MOST_SETTINGS);
    struct rl_setting *kept = rl_arena_alloc(&found->capture->arena, found->count * sizeof *kept);
    memcpy(kept, found->settings, found->count * sizeof *kept);
    return kept;
}

/* Takes "2 x 512 threads per SM" apart by a row of phrases.def: as many numbers as it has keys, then its words. */
static bool take_numbers(struct found *found, const char *part, size_t len, const struct rl_phrase_row *row)
{
    double numbers[RL_PHRASE_KEYS];
    size_t keys = 0, at = 0;
    for (; row->keys[keys]; keys++) {
        assert(keys < RL_PHRASE_KEYS);
        const size_t sign = keys > 0 ? strlen("x ") : 0;
        if (at + sign >= len || strncmp(part + at, "x ", sign) != 0)
            return false;
        at += sign;
        const char *end = memchr(part + at, ' ', len - at);
        const size_t digits = end ? (size_t)(end - part) - at : len - at;
        if (!rl_number_parse(part + at, digits, &numbers[keys]))
            return false;
        at += digits + (end ? 1 : 0);
    }
    if (strlen(row->words) != len - at || strncmp(part + at, row->words, len - at) != 0)
        return false;
    for (size_t k = 0; k < keys; k++)
        add_number(found, row->keys[k], RL_UNIT_COUNT, numbers[k]);
    return true;
}

/* "4.00 GiB" */
static bool take_bytes(struct found *found, const char *part, size_t len)
{
    const char *blank = memchr(part, ' ', len);
    const size_t digits = blank ? (size_t)(blank - part) : 0;
    double number;
    if (digits == 0 || !rl_number_parse(part, digits, &number))
        return false;
    for (const struct rl_memory_unit *unit = rl_memory_units; unit->symbol; unit++)
        if (strlen(unit->symbol) == len - digits - 1 && strncmp(blank + 1, unit->symbol, len - digits - 1) == 0) {
            add_number(found, "data_bytes", RL_UNIT_BYTE, number * unit->size);
            return true;
        }
    return false;
}

static void take_part(struct found *found, const char *part, size_t len, size_t number)
{
    static const char library[] = "cuBLAS";
    bool taken = take_bytes(found, part, len);
    for (size_t i = 0; i < rl_phrase_row_count && !taken; i++)
        taken = take_numbers(found, part, len, &rl_phrase_rows[i]);
    if (taken)
        return;
    const bool of_library = len == strlen(library) && strncmp(part, library, len) == 0;
    add_text(found, number > 0 ? "memory" : of_library ? RL_KEY_LIBRARY : "kernel", part, len);
}

static void upgrade_configuration(struct rl_capture *capture, struct rl_ceiling_run *run)
{
    struct found found = {.capture = capture};
    size_t number = 0;
    for (const char *at = run->configuration; number < RL_MOST_PHRASES; number++) {
        const char *end = number + 1 < RL_MOST_PHRASES ? strstr(at, ", ") : NULL;
        take_part(&found, at, end ? (size_t)(end - at) : strlen(at), number);
        if (!end)
            break;
        at = end + strlen(", ");
    }
    run->settings = keep(&found);
    run->setting_count = found.count;
}

/* ---- axes: names of variants ---- */

/* A name in its parts: "pipeline_4_balanced" or, without a number, "sync_balanced". */
struct staged {
    size_t way; /* length of "pipeline" */
    bool has_number;
    double number;
    const char *group; /* "balanced" */
};

static bool split_name(const char *name, struct staged *staged)
{
    const char *group = strrchr(name, '_'), *digits = group;
    if (!group || group == name || !group[1])
        return false;
    while (digits > name && isdigit((unsigned char)digits[-1]))
        digits--;
    *staged = (struct staged){.way = (size_t)(group - name), .group = group + 1};
    if (digits == group || group - digits > 6 || digits - name < 2 || digits[-1] != '_')
        return true;
    staged->way = (size_t)(digits - 1 - name);
    staged->has_number = rl_number_parse(digits, (size_t)(group - digits), &staged->number);
    return staged->has_number;
}

/* A claim that a variant with a number is about so many times as fast as one of the same group is a value of a model. */
static bool is_of_model(const struct rl_claim *claim)
{
    struct staged fast, slow;
    return strcmp(claim->quantity, "time_s") == 0 && strcmp(claim->relation, "about") == 0 && claim->baseline &&
           split_name(claim->baseline, &fast) && fast.has_number && split_name(claim->subject, &slow) &&
           strcmp(fast.group, slow.group) == 0;
}

static bool has_model(const struct rl_experiment *experiment)
{
    for (size_t i = 0; i < experiment->claim_count; i++)
        if (is_of_model(&experiment->claims[i]))
            return true;
    return false;
}

static void upgrade_stage(struct rl_capture *capture, struct rl_variant *variant)
{
    struct found found = {.capture = capture};
    struct staged staged;
    if (!split_name(variant->name, &staged))
        return;
    add_text(&found, "way", variant->name, staged.way);
    if (staged.has_number)
        add_number(&found, "stages", RL_UNIT_COUNT, staged.number);
    add_text(&found, "group", staged.group, strlen(staged.group));
    variant->settings = keep(&found);
    variant->setting_count = found.count;
}

/* Length of the name before a number at its end ("stride_" of "stride_16"); 0: it has none. */
static size_t prefix_length(const char *name, double *number)
{
    size_t len = strlen(name), start = len;
    while (start > 0 && isdigit((unsigned char)name[start - 1]))
        start--;
    return start > 0 && start < len && len - start <= 9 && rl_number_parse(name + start, len - start, number) ? start : 0;
}

/* Of an experiment: the name that all its variants have before a number at their ends. */
struct common {
    const char *name; /* NULL: no variant yet */
    size_t prefix;    /* 0: there is none */
};

static void note_name(struct common *common, const char *name)
{
    double number;
    const size_t prefix = prefix_length(name, &number);
    if (!common->name)
        *common = (struct common){name, prefix};
    else if (prefix != common->prefix || strncmp(name, common->name, prefix) != 0)
        common->prefix = 0;
}

static const char *axis_of(struct rl_capture *capture, const struct common *common)
{
    size_t len = common->prefix;
    while (len > 0 && (common->name[len - 1] == '_' || common->name[len - 1] == '-'))
        len--;
    return len > 0 ? rl_arena_strndup(&capture->arena, common->name, len) : NULL;
}

static void upgrade_point(struct rl_capture *capture, struct rl_variant *variant, const char *axis)
{
    struct found found = {.capture = capture};
    double number = 0;
    prefix_length(variant->name, &number);
    add_number(&found, axis, RL_UNIT_NONE, number);
    variant->settings = keep(&found);
    variant->setting_count = found.count;
}

static void set_form(struct rl_capture *capture, struct rl_experiment *experiment, const struct common *common)
{
    struct rl_experiment_form *form = &experiment->form;
    const char *axis = axis_of(capture, common);
    if (has_model(experiment))
        *form = (struct rl_experiment_form){.form = RL_CHART_FORM_STAGES,
                                            .axis = rl_capture_text(capture, "stages"),
                                            .axis_title = rl_capture_text(capture, "Stages of the pipeline"),
                                            .axis_unit = RL_UNIT_COUNT,
                                            .series = rl_capture_text(capture, "group"),
                                            .way = rl_capture_text(capture, "way")};
    else if (axis)
        *form = (struct rl_experiment_form){
            .form = RL_CHART_FORM_LINE, .axis = rl_capture_text(capture, axis), .axis_title = rl_capture_text(capture, axis)};
}

static void upgrade_axes(struct rl_capture *capture)
{
    struct common *common = rl_calloc(capture->experiment_count, sizeof *common);
    for (size_t i = 0; i < capture->variant_count; i++)
        note_name(&common[capture->variants[i].experiment], capture->variants[i].name);
    for (size_t i = 0; i < capture->experiment_count; i++)
        set_form(capture, &capture->experiments[i], &common[i]);
    for (size_t i = 0; i < capture->variant_count; i++) {
        struct rl_variant *variant = &capture->variants[i];
        const struct rl_experiment_form *form = &capture->experiments[variant->experiment].form;
        if (form->form == RL_CHART_FORM_STAGES)
            upgrade_stage(capture, variant);
        else if (form->form == RL_CHART_FORM_LINE)
            upgrade_point(capture, variant, form->axis);
    }
    free(common);
}

/* ---- columns: what an explanation names ---- */

static const struct {
    const char *words, *id;
} old_columns[] = {
#define OLD_COLUMN(words, id) {words, id},
#include "upgrade.def"
};

/* Explanations of ours have some hundred bytes: of a longer one only the beginning is searched. */
static bool names(const char *text, const char *words)
{
    enum { MOST_BYTES = 4000 };
    const size_t len = strlen(words);
    for (size_t i = 0; i < MOST_BYTES && text[i]; i++)
        if (strncasecmp(text + i, words, len) == 0)
            return true;
    return false;
}

static void upgrade_columns(struct rl_capture *capture, struct rl_experiment *experiment)
{
    char *columns[RL_COUNT(old_columns)];
    size_t count = 0;
    for (size_t i = 0; i < RL_COUNT(old_columns) && experiment->explanation; i++)
        if (names(experiment->explanation, old_columns[i].words))
            columns[count++] = rl_capture_text(capture, old_columns[i].id);
    experiment->columns = rl_arena_alloc(&capture->arena, count * sizeof *experiment->columns);
    memcpy(experiment->columns, columns, count * sizeof *columns);
    experiment->column_count = count;
}

/* ---- pairs: what the suite of that time knew ---- */

static const struct {
    const char *experiment, *broken, *mended;
} old_pairs[] = {
#define OLD_PAIR(experiment, broken, mended) {experiment, broken, mended},
#include "upgrade.def"
};

static void upgrade_pairs(struct rl_capture *capture, struct rl_experiment *experiment)
{
    struct rl_variant_pair pairs[RL_COUNT(old_pairs)];
    size_t count = 0;
    for (size_t i = 0; i < RL_COUNT(old_pairs); i++)
        if (strcmp(old_pairs[i].experiment, experiment->name) == 0)
            pairs[count++] = (struct rl_variant_pair){rl_capture_text(capture, old_pairs[i].broken),
                                                      rl_capture_text(capture, old_pairs[i].mended)};
    experiment->pairs = rl_arena_alloc(&capture->arena, count * sizeof *pairs);
    memcpy(experiment->pairs, pairs, count * sizeof *pairs);
    experiment->pair_count = count;
}

void rl_capture_upgrade(struct rl_capture *capture)
{
    for (size_t i = 0; i < capture->variant_count; i++)
        upgrade_deviation(&capture->variants[i]);
    for (size_t i = 0; i < capture->ceiling_count; i++)
        upgrade_configuration(capture, &capture->ceilings[i]);
    upgrade_axes(capture);
    for (size_t i = 0; i < capture->experiment_count; i++)
        upgrade_columns(capture, &capture->experiments[i]);
    for (size_t i = 0; i < capture->experiment_count; i++)
        upgrade_pairs(capture, &capture->experiments[i]);
}

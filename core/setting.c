#include "core/setting.h"

#include "core/core.h"

RL_NAMES(rl_deviation_kind_name, enum rl_deviation_kind, [RL_DEVIATION_NONE] = "none", [RL_DEVIATION_ABSOLUTE] = "absolute",
         [RL_DEVIATION_RELATIVE] = "relative")

RL_NAMES(rl_chart_form_name,
         enum rl_chart_form, [RL_CHART_FORM_BARS] = "bars", [RL_CHART_FORM_LINE] = "line", [RL_CHART_FORM_STAGES] = "stages")

static const struct rl_phrase_row phrase_rows[] = {
#define PHRASE(words_, ...) {.words = words_, .keys = {__VA_ARGS__}},
#include "core/phrases.def"
#undef PHRASE
};

/* Bytes as memory is divided, the only figures of the program in powers of 1024. */
static const struct memory_unit {
    double size;
    const char *symbol;
} memory_units[] = {{0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1, "B"}, {0, NULL}};

const struct rl_setting *rl_setting_find(const struct rl_setting *settings, size_t count, const char *key)
{
    return RL_FIND(i, settings, count, strcmp(settings[i].key, key) == 0);
}

bool rl_setting_same_value(const struct rl_setting *a, const struct rl_setting *b)
{
    if (a->text || b->text)
        return a->text && b->text && strcmp(a->text, b->text) == 0;
    return a->unit == b->unit && rl_present(a->number) && rl_present(b->number) && a->number.v == b->number.v;
}

bool rl_settings_equal(const struct rl_setting *a, size_t a_count, const struct rl_setting *b, size_t b_count)
{
    bool equal = a_count == b_count;
    for (size_t i = 0; equal && i < a_count; i++)
        equal = strcmp(a[i].key, b[i].key) == 0 && rl_setting_same_value(&a[i], &b[i]);
    return equal;
}

/* The largest unit that is not above `bytes`. */
static const struct memory_unit *memory_unit_of(double bytes)
{
    const struct memory_unit *unit = memory_units;
    while (unit[1].symbol && !(bytes >= unit->size))
        unit++;
    return unit;
}

/* Number of settings that the row says, 0: it does not fit. */
static size_t fits(const struct rl_phrase_row *row, const struct rl_setting *settings, size_t count)
{
    size_t keys = 0;
    while (row->keys[keys]) {
        if (keys == count || strcmp(row->keys[keys], settings[keys].key) != 0)
            return 0;
        keys++;
    }
    return keys;
}

static struct rl_phrase phrase_at(const struct rl_setting *settings, size_t count)
{
    struct rl_phrase phrase = {settings, 1, NULL};
    for (size_t i = 0; i < RL_COUNT(phrase_rows); i++) {
        const size_t keys = fits(&phrase_rows[i], settings, count);
        if (keys > 0 && (!phrase.row || keys > phrase.count)) {
            phrase.row = &phrase_rows[i];
            phrase.count = keys;
        }
    }
    return phrase;
}

size_t rl_phrases_of(const struct rl_setting *settings, size_t count, struct rl_phrase phrases[RL_MOST_PHRASES])
{
    size_t phrase_count = 0;
    for (size_t i = 0; i < count && phrase_count < RL_MOST_PHRASES; phrase_count++) {
        phrases[phrase_count] = phrase_at(settings + i, count - i);
        assert(phrases[phrase_count].count > 0);
        i += phrases[phrase_count].count;
    }
    return phrase_count;
}

void rl_setting_value_text(const struct rl_setting *setting, struct rl_buf *out)
{
    if (setting->text)
        rl_buf_adds(out, setting->text);
    else if (!rl_present(setting->number))
        rl_buf_adds(out, rl_value_reason(setting->number));
    else if (setting->unit == RL_UNIT_BYTE)
        rl_number_format(out, setting->number.v / memory_unit_of(setting->number.v)->size, 3);
    else
        rl_number_exact(out, setting->number.v);
}

void rl_settings_text(const struct rl_setting *settings, size_t count, struct rl_buf *out)
{
    struct rl_phrase phrases[RL_MOST_PHRASES];
    const size_t phrase_count = rl_phrases_of(settings, count, phrases);
    for (size_t p = 0; p < phrase_count; p++) {
        for (size_t i = 0; i < phrases[p].count; i++) {
            rl_buf_adds(out, i > 0 ? " x " : p > 0 ? ", " : "");
            rl_setting_value_text(&phrases[p].first[i], out);
        }
        const size_t before = out->len;
        rl_buf_addch(out, ' ');
        /* Appends what stands behind the values of a phrase: "threads per SM", "GiB"; nothing where a value says it all. */
        const struct rl_phrase *phrase = &phrases[p];
        const struct rl_setting *last = &phrase->first[phrase->count - 1];
        if (last->unit == RL_UNIT_BYTE && rl_present(last->number))
            rl_buf_adds(out, memory_unit_of(last->number.v)->symbol);
        else if (phrase->row)
            rl_buf_adds(out, phrase->row->words);
        else /* a key without a phrase: "loop_count" reads "loop count" */
            for (const char *key = last->text ? "" : last->key; *key; key++)
                rl_buf_addch(out, *key == '_' ? ' ' : *key);
        if (out->len == before + 1)
            rl_buf_truncate(out, before);
    }
}

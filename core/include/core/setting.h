/* setting.h - a key with its value: a setting of a configuration, or the position of a variant on an axis.
 *
 *     {"kernel", text "read once"}, {"data_bytes", 4294967296 B}, {"threads_per_block", 512}, {"vectors_per_thread", 4}
 *
 * The suite declares settings, captures store them, and phrases.def has their words: "read once, 4.00 GiB, 512 threads, 4 x 16 B
 * per thread". Words are made from settings and never parsed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/units.h"
#include "core/value.h"

/* Keys that programs ask for. */
#define RL_KEY_LIBRARY "library" /* text: the code is a library's, called by its name */

enum {
    RL_PHRASE_KEYS = 3,  /* most settings that share a phrase */
    RL_MOST_PHRASES = 16 /* of one configuration; further settings are not printed */
};

struct rl_setting {
    const char *key;        /* "threads_per_block"; lower-case, unique within its owner */
    enum rl_unit unit;      /* of the number; RL_UNIT_NONE of a text */
    struct rl_value number; /* missing if the value is a text */
    const char *text;       /* NULL if it is a number */
};
/* The same as constants, for tables. */
#define RL_NUMBER_SETTING(key_, unit_, number_)                                                                                    \
    {                                                                                                                              \
        .key = key_, .unit = RL_UNIT_##unit_, .number = { number_ }                                                                \
    }
#define RL_TEXT_SETTING(key_, text_)                                                                                               \
    {                                                                                                                              \
        .key = key_, .number = RL_VALUE_OF_TEXT, .text = text_                                                                     \
    }

/* The setting with this key; NULL: there is none. */
const struct rl_setting *rl_setting_find(const struct rl_setting *settings, size_t count, const char *key);
/* Whether two settings have the same value, in the same unit; keys are ignored. */
bool rl_setting_same_value(const struct rl_setting *a, const struct rl_setting *b);
/* Whether two lists have the same keys and values in the same order. */
bool rl_settings_equal(const struct rl_setting *a, size_t a_count, const struct rl_setting *b, size_t b_count);

/* A row of phrases.def: the words after the values of successive settings with these keys. */
struct rl_phrase_row {
    const char *words;
    const char *keys[RL_PHRASE_KEYS + 1]; /* ends with NULL */
};

/* Settings that share a phrase: `count` from `first` on. */
struct rl_phrase {
    const struct rl_setting *first;
    size_t count;
    const struct rl_phrase_row *row; /* NULL: phrases.def lacks the key, which is printed instead */
};
/* Divides settings into phrases, in order; returns their number. Nothing is copied. */
size_t rl_phrases_of(const struct rl_setting *settings, size_t count, struct rl_phrase phrases[RL_MOST_PHRASES]);
/* Appends the value of a setting without its unit: "read once", "4.00" of 4 GiB, "512". */
void rl_setting_value_text(const struct rl_setting *setting, struct rl_buf *out);
/* Appends all settings in words, separated by commas. */
void rl_settings_text(const struct rl_setting *settings, size_t count, struct rl_buf *out);

/* ---- the forms in which the variants of an experiment are drawn ---- */

enum rl_chart_form {
    RL_CHART_FORM_BARS,   /* a bar for each variant */
    RL_CHART_FORM_LINE,   /* a point for each variant over its number on the axis */
    RL_CHART_FORM_STAGES, /* a panel for each group of variants: speedup over the base against the number on the axis, with the
                           * values of a published model */
    RL_CHART_FORM_COUNT
};

/* "bars", "line", "stages": as captures store it. */
const char *rl_chart_form_name(enum rl_chart_form form);

/* ---- deviations of results from their reference, as a check finds and a capture stores them ---- */

enum rl_deviation_kind {
    RL_DEVIATION_NONE,     /* nothing was compared element by element; the other members are meaningless */
    RL_DEVIATION_ABSOLUTE, /* |result - reference| */
    RL_DEVIATION_RELATIVE, /* the same over |reference| */
    RL_DEVIATION_KIND_COUNT
};

/* All zero: nothing was compared. */
struct rl_deviation {
    enum rl_deviation_kind kind;
    double largest;            /* of the right elements; finite */
    struct rl_value tolerance; /* largest permitted deviation for a reference up to 1; above 1 it is multiplied by the reference */
    struct rl_value element;   /* index of the first wrong element, otherwise of the largest deviation; missing: all are exact */
    uint64_t compared, wrong;  /* elements */
};

/* "none", "absolute", "relative": as captures store it. */
const char *rl_deviation_kind_name(enum rl_deviation_kind kind);

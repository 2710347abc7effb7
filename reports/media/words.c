/* words.c - figures and names as the report prints them (see words.h). */
#include <ctype.h>

#include "analysis/columns.h"
#include "results/view.h"
#include "words.h"

#define MINUS        "\xE2\x88\x92"
#define NARROW_SPACE "\xE2\x80\xAF" /* no-break; between groups of digits, as core/units.c has it */

const char *rl_words(struct rl_document *doc, const char *format, ...)
{
    struct rl_buf out = RL_BUF_IN(doc->arena);
    va_list args;
    va_start(args, format);
    rl_buf_vaddf(&out, format, args);
    va_end(args);
    return out.data;
}

const char *rl_words_short(struct rl_document *doc, const char *text, size_t columns)
{
    enum { LONGEST = 4000 }; /* a page in a browser has room for names in full */
    struct rl_buf out = RL_BUF_IN(doc->arena);
    rl_utf8_abbreviate(&out, text, doc->web ? LONGEST : columns);
    return out.data;
}

const char *rl_words_claims_held(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu)
{
    struct rl_buf out = RL_BUF_IN(doc->arena);
    rl_claims_held_text(analysis, gpu, &out);
    return out.data;
}

const char *rl_words_shortened(struct rl_document *doc, const char *text, size_t columns)
{
    static const char micro[] = " us";
    struct rl_buf out = RL_BUF_IN(doc->arena);
    for (const char *p = text; *p; p++) {
        const bool after_digit = p > text && isdigit((unsigned char)p[-1]);
        const size_t len = strlen(micro);
        if (after_digit && *p == ',' && strspn(p + 1, "0123456789") == 3) {
            rl_buf_adds(&out, NARROW_SPACE);
        } else if (after_digit && strncmp(p, micro, len) == 0 && !isalnum((unsigned char)p[len])) {
            rl_buf_adds(&out, "\xC2\xA0\xC2\xB5s");
            p += len - 1;
        } else {
            rl_buf_addch(&out, *p);
        }
    }
    return rl_words_short(doc, out.data, columns);
}

const char *rl_words_sentence(struct rl_document *doc, const char *text)
{
    enum { LONGEST = 300 };
    char *copy = rl_arena_strdup(doc->arena, rl_words_short(doc, text, LONGEST));
    if (copy[0] >= 'a' && copy[0] <= 'z')
        copy[0] = (char)(copy[0] - 'a' + 'A');
    return copy;
}

const char *rl_words_value(struct rl_document *doc, enum rl_unit unit, struct rl_value value, int digits)
{
    struct rl_buf out = RL_BUF_IN(doc->arena);
    rl_value_format(&out, unit, value, digits);
    const char *text = rl_present(value) && out.data[0] == '-' ? rl_words(doc, MINUS "%s", out.data + 1) : out.data;
    return text;
}

enum { DIGITS = 3, MORE_DIGITS = 2 }; /* where an interval is narrower than the last one */

const char *rl_words_interval(struct rl_document *doc, double low, double high, bool has_interval)
{
    if (!has_interval)
        return "";
    struct rl_buf a = RL_BUF_IN(doc->arena), b = RL_BUF_IN(doc->arena);
    for (int more = 0; more <= MORE_DIGITS && (more == 0 || strcmp(a.data, b.data) == 0); more++) {
        rl_buf_reset(&a);
        rl_buf_reset(&b);
        rl_number_format(&a, low, DIGITS + more);
        rl_number_format(&b, high, DIGITS + more);
    }
    const bool same = strcmp(a.data, b.data) == 0;
    if (same) {
        rl_buf_reset(&a);
        rl_number_format(&a, low, DIGITS);
    }
    return same ? a.data : rl_words(doc, "%s" RL_EN_DASH "%s", a.data, b.data);
}

const char *rl_words_speedup(struct rl_document *doc, double speedup)
{
    struct rl_buf text = RL_BUF_IN(doc->arena);
    view_speedup_add(&text, speedup);
    return text.data;
}

const char *rl_words_seconds(struct rl_document *doc, double seconds)
{
    return rl_words_value(doc, RL_UNIT_SECOND, rl_value_of(seconds), 3);
}

const char *rl_words_date(struct rl_document *doc, const struct rl_session *session)
{
    const char *started = session->started;
    if (!started || strlen(started) != 20 || started[10] != 'T' || started[19] != 'Z')
        return started && started[0] ? rl_words_short(doc, started, 30) : "date unknown";
    return rl_words(doc, "%.10s %.8s UTC", started, started + 11);
}

const char *rl_words_uncounted(struct rl_document *doc, const struct rl_session *session)
{
    return rl_session_counted(session) ? "runs timed as a whole have no counters, so"
                                       : rl_words(doc, "without counters (%s)", rl_words_short(doc, session->counters, 120));
}

const char *rl_words_number(struct rl_document *doc, uint64_t number)
{
    return rl_words_value(doc, RL_UNIT_COUNT, rl_value_of((double)number), 3);
}

const char *rl_words_count(struct rl_document *doc, size_t count, const char *one, const char *many)
{
    return rl_words(doc, "%s %s", rl_words_number(doc, count), count == 1 ? one : many);
}

const char *rl_words_card(const struct rl_capture *capture, size_t gpu)
{
    if (gpu >= capture->gpu_count)
        return "no GPU";
    const char *name = capture->gpus[gpu].name, *without_maker = rl_card_short(name);
    return *without_maker ? without_maker : name;
}

enum rl_tone rl_words_tone(size_t limiter)
{
    static const enum rl_tone tones[RL_KIND_COUNT] = {
        [RL_KIND_UNKNOWN] = RL_TONE_UNKNOWN, [RL_KIND_DRAM] = RL_TONE_DRAM,       [RL_KIND_L2] = RL_TONE_L2,
        [RL_KIND_L1] = RL_TONE_L1,           [RL_KIND_COMPUTE] = RL_TONE_COMPUTE, [RL_KIND_LATENCY] = RL_TONE_LATENCY,
        [RL_KIND_FILL] = RL_TONE_FILL,       [RL_KIND_LINK] = RL_TONE_LINK,
    };
    return tones[rl_limiter_kind_of(limiter)];
}

enum rl_mark rl_words_mark(enum rl_claim_outcome outcome)
{
    static const enum rl_mark marks[] = {
        [RL_CLAIM_HELD] = RL_MARK_GOOD,      [RL_CLAIM_DID_NOT_HOLD] = RL_MARK_ATTENTION, [RL_CLAIM_EXCEEDED] = RL_MARK_ATTENTION,
        [RL_CLAIM_UNDECIDED] = RL_MARK_OPEN, [RL_CLAIM_REFERENCE] = RL_MARK_QUIET,
    };
    assert(outcome < RL_COUNT(marks));
    return marks[outcome];
}

RL_NAMES(rl_words_outcome, enum rl_claim_outcome, [RL_CLAIM_HELD] = "Holds", [RL_CLAIM_DID_NOT_HOLD] = "Fails",
         [RL_CLAIM_EXCEEDED] = "Exceeded", [RL_CLAIM_UNDECIDED] = "Undecided", [RL_CLAIM_REFERENCE] = "For reference")

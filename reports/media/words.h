/* words.h - figures and names as documents print them. All texts belong to the document's arena. */
#pragma once

#include "document.h"

/* A formatted text. */
const char *rl_words(struct rl_document *doc, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "4.51 TB/s"; an en dash when missing. */
const char *rl_words_value(struct rl_document *doc, enum rl_unit unit, struct rl_value value, int digits);
/* "928 ns": a time in seconds with three digits. */
const char *rl_words_seconds(struct rl_document *doc, double seconds);
/* "1.33×"; an en dash where there is none (NAN). */
const char *rl_words_speedup(struct rl_document *doc, double speedup);
/* "0.3703–0.3712" of both ends, with up to two digits more than three where they would print alike; one number where they still
 * do; "" without an interval. */
const char *rl_words_interval(struct rl_document *doc, double low, double high, bool has_interval);
/* A text from the capture for use in a sentence: printable, and but for HTML shortened in the middle to `columns`. */
const char *rl_words_short(struct rl_document *doc, const char *text, size_t columns);
/* How many claims on a GPU hold, by what they rest on (rl_claims_held_text); "" where none was judged. */
const char *rl_words_claims_held(struct rl_document *doc, const struct rl_analysis *analysis, size_t gpu);
/* A text of the suite in the document's typography: groups of digits ("1 048 576" for "1,048,576"), "µs" for "us". */
const char *rl_words_shortened(struct rl_document *doc, const char *text, size_t columns);
/* A text with a capital first letter. */
const char *rl_words_sentence(struct rl_document *doc, const char *text);
/* "2026-11-21 10:30:40 UTC", or "date unknown". */
const char *rl_words_date(struct rl_document *doc, const struct rl_session *session);
/* Why nothing has counters, at the beginning of a sentence's end: "without counters (not permitted: ...)", or "runs timed as wholes
 * are not counted, so" when the session did collect. */
const char *rl_words_uncounted(struct rl_document *doc, const struct rl_session *session);
/* "20 215": a number of things. */
const char *rl_words_number(struct rl_document *doc, uint64_t number);
/* "3 kernels", "1 kernel". */
const char *rl_words_count(struct rl_document *doc, size_t count, const char *one, const char *many);
/* Name of the GPU, without the maker's name. */
const char *rl_words_card(const struct rl_capture *capture, size_t gpu);
/* The tone of a limiter (rl_limiter_of). */
enum rl_tone rl_words_tone(size_t limiter);
/* The mark of the outcome of a claim. */
enum rl_mark rl_words_mark(enum rl_claim_outcome outcome);
/* "Holds", at the beginning of a sentence. */
const char *rl_words_outcome(enum rl_claim_outcome outcome);

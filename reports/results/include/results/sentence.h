/* sentence.h - sentences with figures in them.
 *
 * A sentence is a template over the fields of a record, so that its figures are values with units and not yet text:
 *
 *     "{count rank|ranks}[ on {hosts host|hosts}]: rank {slowest.rank} is the slowest with {slowest.own_s} of its own kernels"
 *
 *     {path}             the value, for people: number with unit, text
 *     {path one|many}    a number of things and their noun
 *     {path:reason}      why the value is absent
 *     [...]              left out unless every value in it is present and not zero, false, empty, and every reason
 *                        is there; does not nest
 *     {{ }} [[ ]]        the characters themselves
 */
#pragma once

#include "results/view.h"

/* Appends the sentence as plain text. */
void view_sentence_format(const struct view *view, const struct view_record *record, const void *row, const char *text,
                          struct rl_buf *out);
/* Whether a template is well formed and every path leads to a field. Otherwise appends what is wrong to `why`. */
bool view_sentence_check(const struct view_record *record, const char *text, struct rl_buf *why);

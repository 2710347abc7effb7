/* handout.h - what the collecting process hands to each observed one: named texts in one piece of memory that cannot be changed.
 * Private to the collector.
 *
 *     NAME LENGTH\n followed by LENGTH bytes, for each text
 */
#pragma once

#include "core/core.h"

/* Names: the plan of a chip, which is appended to the first; classes that a further run is to count, by hash. */
#define RL_HANDOUT_PLAN   "plan."
#define RL_HANDOUT_ANY    "plan.unknown"
#define RL_HANDOUT_WANTED "wanted"
/* In a plan: the counter goes into each pass of its configuration that has room for it. */
#define RL_HANDOUT_BESIDE "+"
/* In known passes (availability.h): of a configuration for few launches. */
#define RL_HANDOUT_RARE "-"

/* Appends a text; the name holds no blank. */
void rl_handout_add(struct rl_buf *notes, const char *name, const struct rl_buf *text);
/* Memory with these notes, sealed; `*fd` is the caller's to close. */
enum rl_status rl_handout_seal(const struct rl_buf *notes, int *fd, struct rl_err *err);
/* Maps notes for as long as the process lives; false when that cannot be done. */
bool rl_handout_map(int fd, const char **notes, size_t *size);
struct rl_handout_note {
    const char *name, *text; /* neither is terminated */
    size_t name_len, len;
};
/* The note that begins at `*at`, which becomes that of the next one; 0 is the first. False: there is none, or it is damaged. */
bool rl_handout_next(const char *notes, size_t size, size_t *at, struct rl_handout_note *note);
/* The text of a name and its length; NULL when there is none. It is not terminated. */
const char *rl_handout_find(const char *notes, size_t size, const char *name, size_t *len);

/* ledger.h - what becomes of every value that is read, by metric or column (private to import/). */
#ifndef RL_IMPORT_LEDGER_H
#define RL_IMPORT_LEDGER_H

#include "capture/capture.h"
#include "notes.h"
#include "pool.h"

struct rl_ledger {
    struct rl_pool names;
    struct rl_arena texts;
    struct rl_ledger_item_ {
        bool column;
        struct {
            uint64_t values;
            const char *example, *reason; /* NULL: none so far */
        } of[RL_FATE_COUNT];
    } * items;
    size_t cap;
};

/* Frees the texts. */
void rl_ledger_release(struct rl_ledger *ledger);
/* The item of a metric or column; a new one when there is none. */
uint32_t rl_ledger_item(struct rl_ledger *ledger, struct rl_text name);
/* The same of a column of a table. */
uint32_t rl_ledger_column(struct rl_ledger *ledger, struct rl_text head);
/* Counts values of an item. The first of each fate is kept as the example: its text, then its unit. `reason` is copied. */
void rl_ledger_count(struct rl_ledger *ledger, uint32_t item, enum rl_fate fate, uint64_t values, struct rl_text example,
                     struct rl_text unit, const char *reason);
/* Gives another fate to `values` of an item that had counted as used or scaled, or to as many as there are. */
void rl_ledger_move(struct rl_ledger *ledger, uint32_t item, enum rl_fate fate, uint64_t values, const char *reason);
/* Writes it to the capture, and what the notes say was left out as a whole. */
void rl_ledger_write(const struct rl_ledger *ledger, const struct rl_notes *notes, struct rl_capture *capture);

#endif

/* targets.h - where a printed value goes: foreign.def with the unit, looked up once (private to import/).
 *
 * A table hands a printed name and its unit to rl_targets_of and gets the routes of its values: to counters and metrics of the
 * kernel class
 * ("slots"), to facts of the GPU, to fields of the launch. Slots are the columns of what will be the capture's counters.
 */
#pragma once

#include "capture/capture.h"
#include "cell.h"

/* ---- oddities of the input, counted ---- */

enum rl_note {
#define NOTE(id, level, words) RL_NOTE_##id,
#include "notes.def"
    RL_NOTE_COUNT
};
enum { RL_NOTE_PLACES = 4 };

struct rl_notes {
    struct {
        size_t count, place_count;
        char *places[RL_NOTE_PLACES]; /* the first different ones */
    } of[RL_NOTE_COUNT];
};

/* Counts one more; `place` says where or what, "" when there is nothing to say. */
void rl_notes_add(struct rl_notes *notes, enum rl_note note, struct rl_text place);
/* An entry of the log for every note that was counted. */
void rl_notes_log(const struct rl_notes *notes, struct rl_capture *capture);
/* The words of the note; static. */
const char *rl_notes_words(enum rl_note note);
/* Frees the places. */
void rl_notes_release(struct rl_notes *notes);

/* The fate of every value that is read, by metric or column. */
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
/* Changes the fate of up to `values` values of an item that counted as used or scaled. */
void rl_ledger_move(struct rl_ledger *ledger, uint32_t item, enum rl_fate fate, uint64_t values, const char *reason);
/* Writes it to the capture, with what the notes count as left out. */
void rl_ledger_write(const struct rl_ledger *ledger, const struct rl_notes *notes, struct rl_capture *capture);

enum rl_tool { RL_TOOL_NCU, RL_TOOL_NVPROF, RL_TOOL_NSYS, RL_TOOL_PUBLISHED };

enum rl_destination { RL_TO_METRIC, RL_TO_COUNTER, RL_TO_FOREIGN, RL_TO_FACT, RL_TO_LAUNCH, RL_TO_DURATION, RL_TO_CARD };

/* Fields of a launch that tables print as metrics. */
#define RL_LAUNCH_FIELDS(X)                                                                                                        \
    X(registers)                                                                                                                   \
    X(static_shared)                                                                                                               \
    X(dynamic_shared)                                                                                                              \
    X(grid_x)                                                                                                                      \
    X(grid_y)                                                                                                                      \
    X(grid_z)                                                                                                                      \
    X(block_x)                                                                                                                     \
    X(block_y)                                                                                                                     \
    X(block_z)                                                                                                                     \
    X(grid_blocks)                                                                                                                 \
    X(block_threads)
enum rl_launch_field {
#define X(id) RL_LAUNCH_##id,
    RL_LAUNCH_FIELDS(X)
#undef X
        RL_LAUNCH_FIELD_COUNT
};

enum { RL_COMPUTED = 1000000 };

/* How values of one slot and class are combined. */
enum rl_merge { RL_MERGE_MEAN /* weighted by launches */, RL_MERGE_LEAST, RL_MERGE_GREATEST };

struct rl_slot {
    enum rl_counter_kind kind;
    const char *name;    /* counter, metric id or foreign name */
    const char *printed; /* foreign name of the same value, when it is not used as a metric */
    unsigned rank;       /* among the slots of one metric: the lowest is used; RL_COMPUTED: worked out for each launch */
    double undo;         /* metric: factor from the value to the printed one in base units; 0: they are equal */
    enum rl_merge merge;
    const char *zero; /* reason for a missing value where 0 was printed; NULL: 0 is 0 */
    uint32_t item;    /* item in the ledger, of the first printed value; UINT32_MAX: computed */
    /* Filled in with the slot: */
    uint8_t work;             /* 1 + kind of work that it counts (enum rl_work); 0: none */
    uint8_t summand;          /* of slots with work: a number below 64 */
    bool kept;                /* kept for each launch, because metrics are computed from it */
    uint8_t weight;           /* 1 + row of weights.def for the weight of its mean; 0: launches */
    uint8_t token;            /* 1 + index among the weights of weights.def; 0: none */
    uint32_t lookups, sought; /* of a hit rate: rl_targets_lookups, and among how many slots it was sought */
};

/* Launches of one class do the same work when they have the same sums of these (weights.def). */
enum rl_work { RL_WORK_instructions, RL_WORK_operations, RL_WORK_sectors, RL_WORK_branches, RL_WORK_COUNT };
enum { RL_TOKEN_TIME, RL_TOKEN_LOOKUPS, RL_MAX_TOKENS = 64 };

struct rl_route {
    enum rl_destination destination;
    size_t number; /* slot, fact or field */
    double factor; /* from the printed number to the unit of the destination */
};
enum { RL_MAX_ROUTES = 2 };
struct rl_target {
    struct rl_route routes[RL_MAX_ROUTES];
    size_t count;        /* 0: beyond RL_IMPORT_MAX_NAMES */
    uint32_t item;       /* in the ledger */
    enum rl_fate fate;   /* of a number, */
    const char *where;   /* its destination; in the ledger's arena */
    struct rl_text unit; /* as printed */
};

/* A metric as a table prints it. */
struct rl_printed {
    enum rl_tool tool;
    enum rl_prefixes prefixes;
    enum rl_merge merge;    /* LEAST and GREATEST: columns next to the average; always foreign, ".min" and ".max" */
    struct rl_text section; /* of the details page; "" otherwise */
    struct rl_text name, unit;
};

struct rl_targets {
    struct rl_notes *notes; /* not owned */
    struct rl_ledger ledger;
    struct rl_pool counters; /* what our formulas ask for */
    struct rl_pool keys;     /* of targets */
    struct rl_target *targets;
    size_t target_cap;
    struct rl_pool slot_keys;
    struct rl_slot *slots;
    size_t slot_cap;
    struct rl_pool tokens;  /* weights of values, by name */
    uint8_t weights[32][6]; /* rows of weights.def as indices of `tokens`; RL_MAX_TOKENS: none */
    struct rl_buf key;      /* scratch */
};

/* Initialises an empty table. `notes` receives oddities of units and must live as long. */
void rl_targets_init(struct rl_targets *targets, struct rl_notes *notes);
/* Frees the names. */
void rl_targets_release(struct rl_targets *targets);

/* The number of the target, for rl_targets_at: the same for the same metric and unit. */
size_t rl_targets_of(struct rl_targets *targets, const struct rl_printed *printed);
/* The target of that number; the pointer is valid until the next rl_targets_of. */
const struct rl_target *rl_targets_at(const struct rl_targets *targets, size_t number);
/* The slot of a counter or metric computed for each launch; added if new. */
size_t rl_targets_computed(struct rl_targets *targets, enum rl_counter_kind kind, const char *name);
/* The slot of a counter or foreign name; false when there is none. */
bool rl_targets_find_slot(const struct rl_targets *targets, enum rl_counter_kind kind, const char *name, uint32_t *slot);
/* The slot of a metric computed for each launch; false: there is none. */
bool rl_targets_find_computed(const struct rl_targets *targets, const char *metric, uint32_t *slot);
/* The number of a fact of a GPU (capture/facts.def), which must be one. */
size_t rl_targets_fact(const char *id);
/* Weights of a mean of the slot's values, in this order of preference; RL_MAX_TOKENS ends the list. NULL: launches. */
const uint8_t *rl_targets_weights(const struct rl_targets *targets, size_t slot);
/* 1 + the slot of the look-ups of a hit rate; 0: none. */
uint32_t rl_targets_lookups(struct rl_targets *targets, size_t number);
/* How many slots there are. */
size_t rl_targets_slot_count(const struct rl_targets *targets);

/* ---- rows of derived.def: what follows from several printed values ---- */

/* Value of a name in the formulas of derived.def and limits.def: RL_NOT_ON_CHIP for what is not there, so that `else` goes on. */
typedef struct rl_value (*rl_name_lookup)(void *context, const char *name);

struct rl_derivations;
/* Whether a formula asks for the name. */
bool rl_derivations_use(struct rl_text name);
/* The rows, parsed; free them with rl_derivations_free. */
struct rl_derivations *rl_derivations_new(void);
/* Frees the rows. */
void rl_derivations_free(struct rl_derivations *derivations);
/* The target that a row makes; NULL behind the last row. */
const char *rl_derivation_target(size_t row, enum rl_destination *destination);
/* Whether a row multiplies values, and is therefore computed for each launch if values were printed for each. */
bool rl_derivation_each(size_t row);
/* Value of row number `row` over the names that `lookup` knows; missing with the reason of the first one that it does not. */
struct rl_value rl_derivation_value(const struct rl_derivations *derivations, size_t row, rl_name_lookup lookup, void *context);

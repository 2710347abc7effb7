/* compare.h - the parts of `rooflight compare`, in the order in which cmd_compare.c calls them: measuring (--run), reading and
 * comparing captures, relating GPUs, the gate, and output. */
#pragma once

#include "analysis/fleet.h"
#include "captures.h"
#include "command.h"
#include "doc.h"
#include "results/compare.h"
#include "results/listing.h"

/* ---- what is asked ---- */

extern const struct cli_format compare_junit_formats[];
struct compare_gate_options {
    const char *fail_on, *junit; /* --fail-on LIST, --junit FILE */
};
struct compare_document_options {
    const char *title, *author, *notes, *only; /* as `report` has them */
    bool full;
};
/* For --run: measuring both sides in turn (compare_run.c). */
struct compare_run_options {
    bool wanted;
    const char *captures; /* --captures DIR */
    const char *time;     /* --time DURATION */
    int sessions;         /* most of each side; 0: the default */
    int warm_up;          /* runs of each program before the first session; 0: the default, -1: none */
};

struct compare_options {
    struct cli_common common;
    int format;
    struct view_choice_texts choice;
    const char *map, *smallest_effect, *margin, *cards;
    struct compare_gate_options gate;
    bool is_fleet, redact;
    const char *output, *pseudonyms;
    int paper;
    struct compare_run_options run;
    struct compare_document_options document;
};

/* ---- what is compared ---- */

enum { COMPARE_MOST_CARDS = 16 }; /* that --project takes */

/* One capture of the comparison. */
struct compare_part {
    const char *path;    /* as typed; of a redacted copy its alias */
    char alias[48];      /* "base.rlcap", "new-2.rlcap", "session-3.rlcap" */
    const char *name;    /* the shortest distinguishing end of the path: for notes, reviews and documents */
    struct rl_buf bytes; /* of the file */
    struct rl_capture *capture;
    struct rl_analysis *analysis;
    struct rl_comparison *against_base; /* NULL for the base itself */
    struct rl_gate *gate;               /* NULL: none was asked for */
};

struct compare {
    struct compare_part *parts; /* the base first; of sessions the first of each side, then the base's others, then the new ones */
    size_t count;               /* of captures that are compared: of sessions 2 */
    size_t read;                /* of parts */
    size_t more[2];             /* further sessions of base and new */
    char **uuids;               /* of all GPUs so far, each once, where their numbers take their place */
    size_t uuid_count, uuid_cap;
    struct cli_redaction redaction; /* of all parts, where it is asked for */
    struct rl_columns *columns;     /* of GPUs; NULL: before and after */
    struct rl_lineup *lineup;       /* of those GPUs and the projected ones; NULL: none */
    struct rl_compare_side alone;   /* the base where nothing is compared with it */
    bool verbose;                   /* every row, also what stayed the same */
    bool whole;                     /* however many lines that takes */
    bool gated;
    struct rl_gate_rules rules; /* of the gate */
    double smallest_effect;     /* 0: the usual one */
    double margin;              /* likewise */
    size_t look;                /* as rl_verdict_rules has it */
    struct rl_match_map map;
    struct rl_arena arena;        /* lists of `alone` */
    struct rl_buf document_notes; /* that a user gives */
    /* The base on GPUs that are not at hand. */
    struct rl_projection *projections[COMPARE_MOST_CARDS];
    size_t projection_count;
};

/* Whether captures of several GPU models take part: then the question is what the GPUs do, not what a change did. */
bool compare_is_of_cards(const struct compare *compare);

/* ---- reading (compare_open.c) ---- */

/* The files of a comparison. */
struct compare_sides {
    const char *const *paths; /* the base's first */
    size_t count, behind;     /* of paths; how many of them, the last ones, are sessions of the new side; 0: a base and others */
    size_t look;              /* as rl_verdict_rules has it */
    const char *document;     /* where to write one when -o names no other; NULL: nowhere */
};
/* Called with the captures to compare: prints the result, writes files and runs the gate. */
typedef enum rl_status compare_finish(const struct cli_call *call, const struct compare_sides *sides, struct rl_err *err);

/* Reads the captures and compares them as the options of the call say. `compare` is to be closed in every case. */
enum rl_status compare_open(const struct cli_call *call, const struct compare_sides *sides, struct compare *compare,
                            struct rl_err *err);
/* Checks the options that can be checked without captures. */
enum rl_status compare_check_options(const struct cli_call *call, struct rl_err *err);
/* Frees it. */
void compare_close(struct compare *compare);

/* A percentage as a fraction. RL_USAGE names the option `option`. */
enum rl_status compare_percent(const char *option, const char *text, double least, double most, double *fraction,
                               struct rl_err *err);

/* ---- measuring (compare_run.c) ---- */

/* RL_USAGE when options of --run are there without it. */
enum rl_status compare_run_options_alone(const struct compare_run_options *options, struct rl_err *err);

/* Measures the programs in the operands as the options say, and hands the captures on to `finish`. RL_FAILED when a session fails
 * or its program does; captures of sessions before it stay. */
enum rl_status compare_run(const struct cli_call *call, compare_finish *finish, struct rl_err *err);

/* ---- GPUs (compare_cards.c) ---- */

/* The GPUs of a list "A100-SXM4-40GB,T4". RL_USAGE for an unknown GPU, with the nearest known one, and for too many. */
enum rl_status compare_parse_cards(const char *list, const struct rl_card_info *cards[COMPARE_MOST_CARDS], size_t *count,
                                   struct rl_err *err);
/* The base on these GPUs; then columns of GPUs, where the captures are of several models, and GPUs side by side. */
void compare_cards_relate(struct compare *compare, const struct rl_card_info *const *cards, size_t count);
/* Frees what it made. */
void compare_cards_release(struct compare *compare);

/* ---- the gate (compare_gate.c) ---- */

/* The rules that the options say; `compare->gated` stays false where none does. RL_USAGE for what does not parse. */
enum rl_status compare_gate_rules(const struct compare_gate_options *options, struct compare *compare, struct rl_err *err);
/* The option that was given, without its dashes; NULL: none. */
const char *compare_gate_option(const struct compare_gate_options *options);
/* The bound of regressions; negative when no gate asks for it. */
double compare_tolerance(const struct compare *compare);
/* Applies the rules to every comparison; nothing where there is no gate. */
void compare_gate_run(struct compare *compare);
/* Writes the file that --junit names. */
enum rl_status compare_gate_write(const struct cli_call *call, const struct compare_gate_options *options,
                                  const struct compare *compare, struct rl_err *err);
/* RL_OK when all gates hold, RL_REGRESSION when one fails, RL_OPEN when one cannot decide; the text names the conditions. */
enum rl_status compare_gate_status(const struct compare *compare, struct rl_err *err);

/* ---- the document (compare_document.c) ---- */

/* The option that needs more than one GPU's captures to mean something, without its dashes; NULL: none was given. */
const char *compare_document_option(const struct compare_document_options *options);
/* Reads notes and picture, before any capture is read or measured. */
enum rl_status compare_document_prepare(const struct compare_document_options *options, struct compare *compare,
                                        struct rl_err *err);
/* Makes the document and writes it to `output`. */
enum rl_status compare_document_write(const struct cli_call *call, const struct compare *compare, const char *output,
                                      struct rl_err *err);
/* Frees what compare_document_prepare allocated. */
void compare_document_release(struct compare *compare);

/* ---- printing (compare.c) ---- */

enum compare_form { COMPARE_TEXT, COMPARE_JSON, COMPARE_MARKDOWN, COMPARE_CSV };
struct compare_print {
    enum compare_form form;
    const struct view_choice *choice; /* of columns and rows of the table of pairs; NULL: none */
    size_t width;                     /* of a terminal */
    bool bold;
};
/* The subject of views of the comparison; free with view_compare_free. */
struct view_compare *compare_subject(const struct compare *compare, const struct compare_print *print);
/* Prints the comparison: before and after, or GPUs. */
void compare_print(const struct compare *compare, const struct compare_print *print, struct rl_buf *out);

/* ---- `rooflight compare --fleet` ---- */

enum cli_fleet_format { CLI_FLEET_TEXT, CLI_FLEET_JSON, CLI_FLEET_CSV, CLI_FLEET_MARKDOWN };

struct cli_fleet_options {
    const char *output; /* NULL: none */
    bool document;      /* it is a PDF; otherwise what would be printed */
    enum cli_fleet_format format;
    int paper;              /* enum rl_paper */
    double least;           /* the smallest difference that matters, as a share; 0: the default */
    bool redact;            /* numbers in place of names of hosts, files and GPUs */
    const char *pseudonyms; /* key of rl_redaction, for names of kernels, too; NULL: none */
    bool fail_on_outlier;   /* RL_REGRESSION when a GPU is slower than the others */
};

/* The whole command; operands are files and folders. */
enum rl_status cli_fleet_run(const struct cli_call *call, const struct cli_fleet_options *options, struct rl_err *err);

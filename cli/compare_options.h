/* compare_options.h - what `rooflight compare` is asked for. */
#ifndef RL_CLI_COMPARE_OPTIONS_H
#define RL_CLI_COMPARE_OPTIONS_H

#include "compare_document.h"
#include "compare_gate.h"
#include "options.h"
#include "results/listing.h"

/* Of --run: measuring both sides in turn (compare_run.c). */
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

#endif

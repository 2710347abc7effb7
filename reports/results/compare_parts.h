/* compare_parts.h - records that a comparison is made of. */
#pragma once

#include "results/compare.h"
#include "results/subject.h"

enum {
    VIEW_NAME_COLUMNS = 40,  /* of names of kernels in tables and lists */
    VIEW_CARD_COLUMNS = 60,  /* of names of GPUs */
    VIEW_MOST_LINES = 20,    /* of a list */
    VIEW_MOST_BREACHES = 50, /* of a gate: whoever must act wants all of them */
    VIEW_COMPARE_FIELDS = 25,
};

#define VIEW_SIDE_TEXT "{file}: {card}[, {published}][, {started}], {kernels kernel|kernels}[, {cases case|cases}][, {incomplete}]"

#define VIEW_BREACH_TEXT "[{file}: ]{kernel}: {text}"

/* Fields of a whole comparison: a row is a struct view_compare. */
extern const struct view_field view_compare_fields[VIEW_COMPARE_FIELDS];

extern const struct view_record view_record_side;         /* the same in one line */
extern const struct view_record view_record_ratio;        /* a struct rl_ratio */
extern const struct view_record view_record_item;         /* a struct view_item */
extern const struct view_record view_record_doubt;        /* kernels without a verdict for one reason (compare_doubts.c) */
extern const struct view_record view_record_unmatched;    /* the same, of a capture that has it alone */
extern const struct view_record view_record_rules;        /* a struct rl_verdict_rules */
extern const struct view_record view_record_card_kernel;  /* a struct view_card_kernel */
extern const struct view_record view_record_on_card;      /* a struct view_on_card */
extern const struct view_record view_record_question;     /* a table of GPUs (compare_questions.c) */
extern const struct view_record view_record_lack;         /* what a GPU lacks (compare_questions.c) */
extern const struct view_record view_record_gate;         /* a struct view_part (compare_gate.c) */
extern const struct view_record view_record_breach;       /* what is not as the gate has it (compare_gate.c) */
extern const struct view_record view_record_moved;        /* a struct rl_moved (compare_moved.c) */
extern const struct view_record view_record_line_change;  /* a struct view_line (compare_lines.c) */
extern const struct view_record view_record_tally;        /* a struct rl_tally (compare_moved.c) */
extern const struct view_record view_record_effect;       /* a struct rl_comparison (compare_effect.c) */
extern const struct view_record view_record_lineup;       /* a GPU in a lineup (compare_lineup.c) */
extern const struct view_record view_record_lineup_fact;  /* what each GPU is (compare_lineup.c) */
extern const struct view_record view_record_lineup_group; /* kernels by what limits them (compare_lineup.c) */
extern const struct view_record view_record_case_alone;   /* a const struct rl_case * (compare_cases.c) */

/* The comparison that a view is about. */
static inline const struct view_compare *view_compare_of(const struct view *view)
{
    return view->subject;
}

/* For fields whose missing values need no note, because the reason stands elsewhere. */
static inline bool view_needs_no_note(const struct view *view, const void *row)
{
    return (void)view, (void)row, true;
}

/* Figures of a kernel on a GPU; the ratios are records. */
enum view_card_figure {
    VIEW_CARD_TIME,
    VIEW_CARD_ROOF_SHARE,
    VIEW_CARD_PREDICTED,
    VIEW_CARD_USE,
    VIEW_CARD_OCCUPANCY,
    VIEW_CARD_ACHIEVED,
    VIEW_CARD_RATE, /* the first that was counted, of the same launches */
    VIEW_CARD_WORK,
    VIEW_CARD_SPEEDUP,
};
/* One that is no ratio. */
struct rl_value view_card_value(const struct view_on_card *row, enum view_card_figure figure);
/* Whether heads of GPUs are numbers. */
bool view_compare_is_numbered(const struct view_compare *compare);
/* Whether a gate was asked of all captures: a row is a struct view_compare. */
bool view_is_gated(const struct view *view, const void *row);
/* The gate of a struct view_part, as a row of view_record_gate: the same struct. */
struct view_cell view_gate_cell(const struct view *view, const struct view_field *field, const void *row);
/* Breaches of its conditions that do not hold. */
struct view_cell view_breaches_cell(const struct view *view, const struct view_field *field, const void *row);
/* The gate of the capture of a struct view_compare with the worst state. */
struct view_cell view_gates_cell(const struct view *view, const struct view_field *field, const void *row);
/* The breaches of all captures of a struct view_compare. */
struct view_cell view_all_breaches_cell(const struct view *view, const struct view_field *field, const void *row);
/* The id of the kernel; absent of a run as a whole. */
struct view_cell view_item_id(const struct view *view, const struct view_item *item);
/* The kernels of a struct view_part that have no verdict, those with one reason together. */
struct view_cell view_doubts_cell(const struct view *view, const struct view_field *field, const void *row);
/* "H200", or "A100, published": where not all GPUs are alike, what is not measured has its word. Appends. */
void view_card_name(const struct rl_column *column, struct rl_buf *out);
/* The questions about the GPUs of a struct view_compare, with their answers. */
struct view_cell view_questions_cell(const struct view *view, const struct view_field *field, const void *row);
/* The kernels that a GPU is wasted on. */
struct view_cell view_wasted_cell(const struct view *view, const struct view_field *field, const void *row);
/* Figures that a GPU lacks. */
struct view_cell view_lacking_cell(const struct view *view, const struct view_field *field, const void *row);
/* Fills `lines` of a part other than the base (compare_lines.c). */
void view_part_find_lines(struct view_part *part, struct rl_arena *arena);
/* Those of a struct view_part; absent where there are none. */
struct view_cell view_lines_cell(const struct view *view, const struct view_field *field, const void *row);
/* Those that explain its verdict, in words. */
struct view_cell view_causes_cell(const struct view *view, const struct view_field *field, const void *row);
/* The base and a struct view_part (compare_part.c). */
struct view_cell view_sides_cell(const struct view *view, const struct view_field *field, const void *row);
/* The name of a struct view_part, where there are several. */
struct view_cell view_heading_cell(const struct view *view, const struct view_field *field, const void *row);
/* Appends "DRAM traffic 403 MB → 201 MB" (compare_moved.c). */
void view_moved_text(const struct rl_moved *moved, struct rl_buf *out);
/* Whether the metric is the unequal work of the pair, which pair->work_text has. */
bool view_moved_is_work(const struct rl_pair *pair, const struct rl_moved *moved);
/* Counts of both sides of a struct view_pair, in words. */
struct view_cell view_counts_cell(const struct view *view, const struct view_field *field, const void *row);
/* The GPUs of a struct view_compare side by side; by the field's key all, or those other than the base. */
struct view_cell view_lineup_cell(const struct view *view, const struct view_field *field, const void *row);
/* Facts of the GPUs, each row with all GPUs. */
struct view_cell view_lineup_facts_cell(const struct view *view, const struct view_field *field, const void *row);
/* Kernels by what limits them, each row with all GPUs. */
struct view_cell view_lineup_groups_cell(const struct view *view, const struct view_field *field, const void *row);
/* Whether GPUs stand side by side. */
bool view_has_lineup(const struct view *view, const void *row);
/* By how much a time changed, "−20.0 %", or the interval of that, "−20.6 to −19.4 %"; `few`: why there is no interval. */
struct view_cell view_change_cell(const struct view *view, const struct rl_ratio *ratio, bool interval, const char *few);
/* "1.85× (1.81 to 1.87)": base over new (compare_pair.c). */
struct view_cell view_speedup_cell(const struct view *view, const struct rl_ratio *ratio);
/* "52.4 % → 91.0 %", once where both read alike, a dash for NULL; absent where both are. */
struct view_cell view_before_after(const struct view *view, const char *base, const char *new);
/* A value with its unit; NULL: missing. */
const char *view_value_text(const struct view *view, enum rl_unit unit, struct rl_value value);
/* A share of a roof; NULL: missing. */
const char *view_roof_text(const struct view *view, struct rl_value share);
enum { VIEW_CASES_REMOVED = 1, VIEW_CASES_ADDED, VIEW_CASES_OPEN };
/* Cases that are in the base and in a struct view_part, or with the key VIEW_CASES_OPEN those without a verdict; absent where
 * neither has cases (compare_cases.c). */
struct view_cell view_case_pairs_cell(const struct view *view, const struct view_field *field, const void *row);
/* Whether there are any. */
bool view_has_case_pairs(const struct view *view, const void *row);
/* Cases of one side; the field's key says which. */
struct view_cell view_cases_alone_cell(const struct view *view, const struct view_field *field, const void *row);
/* The geometric mean of the ratios of cases. */
struct view_cell view_cases_ratio_cell(const struct view *view, const struct view_field *field, const void *row);
/* How many cases have each verdict. */
struct view_cell view_case_verdicts_cell(const struct view *view, const struct view_field *field, const void *row);
/* The notes of all captures. */
struct view_cell view_notes_cell(const struct view *view, const struct view_field *field, const void *row);

/* Absent where it is not there, with the reason. */
static inline struct view_cell view_cell_ratio(const struct rl_ratio *ratio, const char *reason)
{
    return ratio->present ? view_cell_record(ratio) : view_cell_absent(reason);
}

/* precision.h - which kinds of numbers the kernels of a GPU work with: what page_precision.c shows. */
#ifndef RL_REPORTS_PRECISION_H
#define RL_REPORTS_PRECISION_H

#include "page.h"
#include "roofline_entries.h"

enum { RL_PRECISIONS = RL_ARITHMETICS + 1 };

/* One kind of arithmetic over all kernels of a GPU. */
struct rl_precision_use {
    const char *name;                     /* "FP32", "matrix units, BF16", "matrix units, by the work model" */
    enum rl_ceiling_id ceiling;           /* that its rates are held against */
    size_t kernels;                       /* that do such work */
    struct rl_value flop;                 /* of one run of each variant, of all launches of each kernel of a program; missing
                                             when some kernel's are not known */
    const struct rl_roofline_entry *best; /* the one with the highest rate; NULL: none */
    struct rl_value rate;                 /* of `best` */
    bool matrix;                          /* of the matrix units */
    bool untyped;                         /* of types that nothing tells: the ceiling is that of FP16 */
    bool integer;                         /* no floating-point operations: not in the sum */
};

/* Fills `uses`; returns the sum of all floating-point operations. */
struct rl_value rl_precision_mix(struct rl_report *report, size_t gpu, struct rl_precision_use uses[RL_PRECISIONS]);
/* Kernels of a program whose launches have done different work: what one of them did is not what all did. They are in no row. */
struct rl_precision_mixed {
    size_t kernels;
    const struct rl_roofline_entry *first; /* NULL: there are none */
};
/* Those of a GPU, of every precision. */
struct rl_precision_mixed rl_precision_mixed(struct rl_report *report, size_t gpu);
/* Those that use the matrix units, of which passes or launches have done different work: they have no point. */
struct rl_precision_mixed rl_precision_mixed_tensor(struct rl_report *report, size_t gpu);
/* The roof of the kind of numbers that most operations of an entry are done in; that of FP32 when it does none. */
enum rl_ceiling_id rl_precision_roof(const struct rl_roofline_entry *entry);
/* Whether a rate of the card's matrix units is known. */
bool rl_precision_has_tensor(const struct rl_analysis *analysis, size_t gpu);
/* How many use the matrix units with operations that nobody has counted. */
size_t rl_precision_uncounted(struct rl_report *report, size_t gpu);
/* How many use them for integers, which have no place on a roofline. */
size_t rl_precision_integers(struct rl_report *report, size_t gpu);
/* Those that use the matrix units, as points of the DRAM roofline; hollow where the operations are those of the work model. */
struct rl_chart_point *rl_precision_tensor_points(struct rl_report *report, size_t gpu, size_t *count);

#endif

/* formula.h - arithmetic formulas in tables.
 *
 * Metrics, roofs and work models are text in .def rows, so that the computed and the printed formula are the same:
 *
 *     "smsp__sass_branch_targets_threads_uniform.sum / smsp__sass_branch_targets.sum"
 *     "dram__bytes_read.sum else dram__bytes_op_read.sum"
 *
 * Grammar:  expr   = sum { "else" sum }
 *           sum    = prod { ("+" | "-") prod }
 *           prod   = atom { ("*" | "/") atom }
 *           atom   = number | name | ("min" | "max") "(" expr "," expr ")" | "(" expr ")"
 *           name   = letter { letter | digit | "_" | "." }        but not "else", "min", "max"
 *           number = digits [ "." digits ] [ "e" [ "+" | "-" ] digits ]
 *
 * Spaces are allowed between these. Operators are left-associative; "else" binds loosest. "a else b" is b if a is not on this chip
 * (RL_NOT_ON_CHIP), otherwise a, missing or not. x / 0 is RL_UNDEFINED.
 */
#pragma once

#include <stddef.h>

#include "core/err.h"
#include "core/value.h"

struct rl_formula;

/* Parses `text`, at most 4096 bytes and 32 levels deep; `*formula` is the caller's (rl_formula_free). Otherwise it is NULL:
 * RL_FORMAT, with the position (1 is the first byte). */
enum rl_status rl_formula_parse(const char *text, struct rl_formula **formula, struct rl_err *err);
/* Frees the formula with its names; NULL is allowed. */
void rl_formula_free(struct rl_formula *formula);

/* Value of a name. The name is terminated and lives as long as the formula. */
typedef struct rl_value (*rl_formula_lookup)(void *context, const char *name);

/* Value of the formula. `zero_reason` is the reason after a division by zero (NULL: the default one). Every name is looked up, also
 * behind an "else" that is not used. */
struct rl_value rl_formula_eval(const struct rl_formula *formula, rl_formula_lookup lookup, void *context, const char *zero_reason);

/* The distinct names in the order of their first use; they live as long as the formula. */
size_t rl_formula_names(const struct rl_formula *formula, const char *const **names);

/* ---- bound formulas: names are looked up once, for many evaluations ---- */

/* The number of a name, chosen by the caller. */
typedef size_t (*rl_formula_number)(void *context, const char *name);

/* Gives each distinct name a number, in the order of rl_formula_names. */
void rl_formula_bind(struct rl_formula *formula, rl_formula_number number_of, void *context);

/* The numbers of the names, in the same order; they live as long as the formula. */
size_t rl_formula_numbers(const struct rl_formula *formula, const size_t **numbers);

/* Value of a number; the pointer must stay valid until the formula is evaluated. */
typedef const struct rl_value *(*rl_formula_fetch)(void *context, size_t number);

/* As rl_formula_eval, with values by number; rl_formula_bind must have been called. */
struct rl_value rl_formula_eval_bound(const struct rl_formula *formula, rl_formula_fetch fetch, void *context,
                                      const char *zero_reason);

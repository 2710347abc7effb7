/* sort.h - stable sorting, with one comparison for each type of key; the result does not depend on the C library.
 *
 * A comparator is a chain of keys of two items x and y, the most important one first:
 *
 *     RL_COMPARATOR(by_time, struct item, rl_descending(x->seconds, y->seconds) ?: rl_ascending(x->name, y->name));
 *
 * Items for which it returns 0 keep their order. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- keys: -1 (a first), 0 or 1 ---- */

/* The lesser one first. */
static inline int rl_ascending_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* The smaller one first, signed. */
static inline int rl_ascending_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* The smaller one first, NaN after all numbers; NaNs are equal. */
static inline int rl_ascending_double(double a, double b)
{
    return a != a || b != b ? (a != a) - (b != b) : (a > b) - (a < b);
}

/* The larger one first, NaN after all numbers. */
static inline int rl_descending_double(double a, double b)
{
    return a != a || b != b ? (a != a) - (b != b) : (a < b) - (a > b);
}

/* By bytes; NULL is "". */
static inline int rl_ascending_text(const char *a, const char *b)
{
    const int order = strcmp(a ? a : "", b ? b : "");
    return (order > 0) - (order < 0);
}

/* The greater one first. */
static inline int rl_descending_u64(uint64_t a, uint64_t b)
{
    return rl_ascending_u64(b, a);
}

/* The greater one first. */
static inline int rl_descending_i64(int64_t a, int64_t b)
{
    return rl_ascending_i64(b, a);
}

/* Z to A. */
static inline int rl_descending_text(const char *a, const char *b)
{
    return rl_ascending_text(b, a);
}

/* Orders two items of one array by their place in it. */
static inline int rl_ascending_place(const void *a, const void *b)
{
    return rl_ascending_u64((uintptr_t)a, (uintptr_t)b);
}

/* The key's type chooses the comparison. */
#define rl_ascending(a, b)  RL_ORDER_OF(rl_ascending, a)(a, b)
#define rl_descending(a, b) RL_ORDER_OF(rl_descending, a)(a, b)
#define RL_ORDER_OF(order, key)                                                                                                    \
    _Generic((key),                                                                                                                \
        _Bool: order##_u64, unsigned char: order##_u64, unsigned short: order##_u64, unsigned: order##_u64,                        \
        unsigned long: order##_u64, unsigned long long: order##_u64,                                                               \
        short: order##_i64, int: order##_i64, long: order##_i64, long long: order##_i64,                                           \
        double: order##_double, char *: order##_text, const char *: order##_text)

/* ---- comparators of whole items ---- */

/* Defines a comparator of items of one type. */
#define RL_COMPARATOR(name, type, order)                                                                                           \
    static int name(const void *a, const void *b)                                                                                  \
    {                                                                                                                              \
        const type *x = a;                                                                                                         \
        const type *y = b; /* `type` may be a pointer */                                                                           \
        return order;                                                                                                              \
    }                                                                                                                              \
    static int name(const void *a, const void *b) /* takes the semicolon */

/* The same for rl_sort_with, for an array of indices (of type `number`) into `items`, an expression of `context`. Equal items are
 * in the order of their indices. */
#define RL_COMPARATOR_AT(name, number, type, items, order)                                                                         \
    static int name(const void *a, const void *b, void *context)                                                                   \
    {                                                                                                                              \
        const type *all = (items), *x = &all[*(const number *)a], *y = &all[*(const number *)b];                                   \
        return (order) ?: rl_ascending(*(const number *)a, *(const number *)b);                                                    \
    }                                                                                                                              \
    static int name(const void *a, const void *b, void *context) /* takes the semicolon */

/* Items are const char *; as rl_ascending_text. */
int rl_by_text(const void *a, const void *b);

/* ---- sorting ---- */

/* Sorts `count` items of `size` bytes; equal ones keep their order. Allocates memory for another `count`, and a pointer to each.
 * `items` may be NULL if `count` is 0. */
void rl_sort(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b));
/* The same; `compare` gets `context`. */
void rl_sort_with(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *context),
                  void *context);
/* Doubles, ascending, NaN last. */
void rl_sort_doubles(double *numbers, size_t count);

/* ---- finding ---- */

/* Number of leading items, of `count` sorted ones, for which the condition on their index `i` is true. */
#define RL_BISECT(i, count, ...)                                                                                                   \
    ({                                                                                                                             \
        size_t low_ = 0, high_ = (count);                                                                                          \
        while (low_ < high_) {                                                                                                     \
            const size_t i = low_ + (high_ - low_) / 2;                                                                            \
            if (__VA_ARGS__)                                                                                                       \
                low_ = i + 1;                                                                                                      \
            else                                                                                                                   \
                high_ = i;                                                                                                         \
        }                                                                                                                          \
        low_;                                                                                                                      \
    })

/* The first of `count` items, which ascend by a member, with `least` or more of it; `count`: there is none. */
#define RL_FIRST_FROM(items, count, member, least) RL_BISECT(at_, count, (items)[at_].member < (least))

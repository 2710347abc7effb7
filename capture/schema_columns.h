/* schema_columns.h - how the columns of schema.c are written down. Private to capture/schema.c. */
#pragma once

#include "schema.h"

/* clang-format off: one line for each kind of column */
/* Offset of a member, which must have the type `expected`. */
#define OFFSET(owner, member, expected)                                                                                            \
    (offsetof(struct rl_##owner, member) + 0 * sizeof(_Generic(((struct rl_##owner *)0)->member, expected : 1)))
/* Offset of a member with the size of an enumeration. */
#define ENUM_OFFSET(owner, member)                                                                                                 \
    (offsetof(struct rl_##owner, member) + 0 * sizeof(char[sizeof(((struct rl_##owner *)0)->member) == sizeof(unsigned) ? 1 : -1]))

#define COLUMN(title, what, ...)                                                                                                   \
    {                                                                                                                              \
        .name = title, .kind = RL_COLUMN_##what, __VA_ARGS__                                                                       \
    }
#define OWNER(title, table)           COLUMN(title, OWNER, .target = RL_SCHEMA_##table)
#define FIELD(title)                  COLUMN(title, FIELD, .optional = false)
#define MEMBER(owner, member, type)   .offset = OFFSET(owner, member, type)
#define TEXT_AS(title, owner, member) COLUMN(title, TEXT, MEMBER(owner, member, char *))
#define TEXT(owner, member)           TEXT_AS(#member, owner, member)
#define OPTIONAL_TEXT(owner, member)  COLUMN(#member, TEXT, MEMBER(owner, member, char *), .optional = true)
#define NAME_AS(title, owner, member) COLUMN(title, TEXT, MEMBER(owner, member, char *), .privacy = RL_PRIVACY_NAME)
/* A member that constants may be, too. */
#define CONSTANT_NAME(owner, member, ...)                                                                                          \
    COLUMN(#member, TEXT, MEMBER(owner, member, const char *), .privacy = RL_PRIVACY_NAME, __VA_ARGS__)
#define PRIVATE(what, owner, member, ...)                                                                                          \
    COLUMN(#member, TEXT, MEMBER(owner, member, char *), .privacy = RL_PRIVACY_##what, __VA_ARGS__)
#define WORD(owner, member, list)            COLUMN(#member, TEXT, MEMBER(owner, member, char *), .words = list)
#define HEX(owner, member, digits)           COLUMN(#member, HEX, MEMBER(owner, member, char *), .max = digits)
#define ENUM_AS(title, owner, member, names) COLUMN(title, ENUM, .offset = ENUM_OFFSET(owner, member), .enumeration = &names)
#define ENUM(owner, member, names)           ENUM_AS(#member, owner, member, names)
#define INTEGER(title, size, least, most, ...)                                                                                     \
    COLUMN(title, INTEGER, .integer = RL_INTEGER_##size, .min = least, .max = most, __VA_ARGS__)
#define INT(title, owner, member, most) INTEGER(title, INT, 0, most, MEMBER(owner, member, int))
#define BOOL(owner, member)             INTEGER(#member, BOOL, 0, 1, MEMBER(owner, member, bool))
#define U32(title, owner, member)       INTEGER(title, U32, 0, UINT32_MAX, MEMBER(owner, member, uint32_t))
#define U64(owner, member)              INTEGER(#member, U64, 0, LARGEST, MEMBER(owner, member, uint64_t))
#define U64_OR_UNKNOWN(owner, member)   INTEGER(#member, U64, 0, LARGEST, MEMBER(owner, member, uint64_t), .optional = true)
#define TIME(owner, member)             INTEGER(#member, I64, -LARGEST, LARGEST, MEMBER(owner, member, int64_t))
#define RANGE(least, most)              .low = least, .high = most
#define REAL(owner, member, ...)        COLUMN(#member, REAL, MEMBER(owner, member, double), RANGE(__VA_ARGS__))
#define VALUE(owner, member, ...)       COLUMN(#member, VALUE, MEMBER(owner, member, struct rl_value), RANGE(__VA_ARGS__))
#define INDEX(owner, member, table)     COLUMN(#member, INDEX, MEMBER(owner, member, size_t), .target = RL_SCHEMA_##table)
#define INDEX_OR_NONE(owner, member, table)                                                                                        \
    COLUMN(#member, INDEX, MEMBER(owner, member, size_t), .target = RL_SCHEMA_##table, .optional = true)
/* clang-format on */

/* LIST_names: how the file calls the members of an enumeration, `number` in all; `name` is an expression of `member`. */
#define NAMES(list, number, name)                                                                                                  \
    static const char *list##_name(unsigned member)                                                                                \
    {                                                                                                                              \
        assert(member < (number));                                                                                                 \
        return name;                                                                                                               \
    }                                                                                                                              \
    static const struct rl_enumeration list##_names = {number, list##_name};

/* NAME_rule: the fault of a row, an expression of `here`, its element, of `row`, and of `before`, the element of the row before it;
 * NULL: it has none. */
#define RULE(name, type, ...)                                                                                                      \
    static const char *name##_rule(const struct rl_schema_row *row)                                                                \
    {                                                                                                                              \
        const struct rl_##type *here = row->element, *before = row->position > 0 ? here - 1 : NULL;                                \
        (void)before;                                                                                                              \
        return __VA_ARGS__;                                                                                                        \
    }
/* Whether rows ascend by a member; by one, and by another where that is equal. */
#define IN_ORDER(first)            (!before || before->first <= here->first)
#define IN_ORDER_OF(first, second) (IN_ORDER(first) && (!before || before->first < here->first || before->second < here->second))
/* Whether an element is to have no row. */
#define UNSAID(name, type, ...)                                                                                                    \
    static bool name(const void *element)                                                                                          \
    {                                                                                                                              \
        const struct rl_##type *here = element;                                                                                    \
        return __VA_ARGS__;                                                                                                        \
    }

#define LARGEST ((INT64_C(1) << 62) - 1) /* two of them can be added */
#define EXACT   9007199254740992.0       /* 2^53: whole numbers up to it are exact */
#define BITS    18446744073709551616.0   /* 2^64: sets of bits kept as a number */
#define ANY     1.7976931348623157e308

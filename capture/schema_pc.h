/* schema_pc.h - columns of the samples of instructions, and rules over more than one of them. Private to capture/schema.c. */
#ifndef RL_CAPTURE_SCHEMA_PC_H
#define RL_CAPTURE_SCHEMA_PC_H

#include <assert.h>
#include <string.h>

#include "capture/sass.h"
#include "schema_columns.h"

/* As the file has them. */
NAMES(stall, RL_STALL_COUNT, rl_stalls[member].id)
static const struct rl_column pc_sampling_columns[] = {
    INDEX(pc_sampling, gpu, GPU), INTEGER("period", U32, 0, 31, MEMBER(pc_sampling, period, uint32_t)),
    U64(pc_sampling, samples),    U64(pc_sampling, dropped),
    U64(pc_sampling, others),     U64(pc_sampling, overflows),
    U64(pc_sampling, unkept),
};
static const struct rl_column pc_function_columns[] = {
    INDEX(pc_function, sampling, PC_SAMPLING),
    PRIVATE(KERNEL, pc_function, name),
    HEX(pc_function, cubin, 16),
    BOOL(pc_function, lines),
};
static const struct rl_column source_file_columns[] = {PRIVATE(PLACE, source_file, path, .optional = true)};
static const struct rl_column source_line_columns[] = {
    INDEX(source_line, file, SOURCE_FILE),
    INTEGER("number", U32, 1, UINT32_MAX, MEMBER(source_line, number, uint32_t)),
    PRIVATE(PLACE, source_line, text, .optional = true),
};
static const struct rl_column pc_instruction_columns[] = {
    INDEX(pc_instruction, function, PC_FUNCTION),
    BOOL(pc_instruction, rest),
    U64(pc_instruction, offset),
    INDEX_OR_NONE(pc_instruction, line, SOURCE_LINE),
};
static const struct rl_column pc_stall_columns[] = {
    INDEX(pc_stall, instruction, PC_INSTRUCTION),
    ENUM(pc_stall, reason, stall_names),
    U64(pc_stall, samples),
    U64(pc_stall, not_issued),
};
static const struct rl_column pc_text_columns[] = {
    INDEX(pc_text, instruction, PC_INSTRUCTION),
    PRIVATE(PUBLIC, pc_text, text),
};

/* An enum rl_pc_counter, as the file has it. */
static const char *pc_counter_name(unsigned member)
{
    static const char *const names[RL_PC_COUNTER_COUNT] = {
#define PC_COUNTER(id, metric, meaning) #id,
#include "capture/pc_counters.def"
#undef PC_COUNTER
    };
    assert(member < RL_PC_COUNTER_COUNT);
    return names[member];
}
static const struct rl_enumeration pc_counter_names = {RL_PC_COUNTER_COUNT, pc_counter_name};
static const struct rl_column pc_counted_columns[] = {
    INDEX(pc_counted, instruction, PC_INSTRUCTION),
    ENUM(pc_counted, counter, pc_counter_names),
    U64(pc_counted, count),
};

RULE(pc_function, pc_function, IN_ORDER(sampling) ? NULL : "it does not stand in the order of samplings")
RULE(source_line, source_line, IN_ORDER_OF(file, number) ? NULL : "it does not stand in the order of files and numbers")

RULE(pc_instruction, pc_instruction,
     before && before->function == here->function && before->rest ? "it stands behind the rest of its function"
     : !IN_ORDER(function) || (before && before->function == here->function && !here->rest && before->offset >= here->offset)
         ? "it does not stand in the order of functions and offsets"
     : here->rest && (here->offset || here->line != RL_NONE) ? "the rest is at one place"
                                                             : NULL)

RULE(pc_stall, pc_stall,
     !IN_ORDER_OF(instruction, reason)  ? "it does not stand in the order of instructions and reasons"
     : here->not_issued > here->samples ? "more samples are without an issue than there are"
                                        : NULL)

/* The fault of what an instruction says, which is nothing that could be a name; NULL: none. */
static const char *pc_text_rule(const struct rl_schema_row *row)
{
    const struct rl_pc_text *text = row->element, *before = text - 1;
    struct rl_buf clean = RL_BUF_INIT;
    if (row->position > 0 && before->instruction >= text->instruction)
        return "it does not stand in the order of instructions";
    if (row->capture->pc_instructions[text->instruction].rest)
        return "it is of more than one instruction";
    rl_sass_clean(text->text, strlen(text->text), &clean);
    const bool same = clean.len > 0 && strcmp(clean.data, text->text) == 0;
    rl_buf_release(&clean);
    return same ? NULL : "it is no instruction without names";
}

RULE(pc_counted, pc_counted,
     IN_ORDER_OF(instruction, counter) ? NULL : "it does not stand in the order of instructions and counters")

#endif

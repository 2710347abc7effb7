/* model_pc.c - the samples of instructions in a capture: adding to them. */
#include "capture/capture.h"
#include "core/mem.h"
#include "core/sort.h"

/* A new element of an array of the capture. */
#define APPEND(items, number, capacity) (RL_GROW(items, (number) + 1, capacity), &(items)[(number)++])

struct rl_pc_sampling *rl_capture_add_pc_sampling(struct rl_capture *capture)
{
    struct rl_pc_sampling *sampling = APPEND(capture->pc_samplings, capture->pc_sampling_count, capture->pc_sampling_cap);
    *sampling = (struct rl_pc_sampling){0};
    return sampling;
}

struct rl_pc_function *rl_capture_add_pc_function(struct rl_capture *capture)
{
    struct rl_pc_function *function = APPEND(capture->pc_functions, capture->pc_function_count, capture->pc_function_cap);
    *function = (struct rl_pc_function){0};
    return function;
}

struct rl_source_file *rl_capture_add_source_file(struct rl_capture *capture)
{
    struct rl_source_file *file = APPEND(capture->source_files, capture->source_file_count, capture->source_file_cap);
    *file = (struct rl_source_file){0};
    return file;
}

struct rl_source_line *rl_capture_add_source_line(struct rl_capture *capture)
{
    struct rl_source_line *line = APPEND(capture->source_lines, capture->source_line_count, capture->source_line_cap);
    *line = (struct rl_source_line){0};
    return line;
}

struct rl_pc_instruction *rl_capture_add_pc_instruction(struct rl_capture *capture)
{
    struct rl_pc_instruction *instruction =
        APPEND(capture->pc_instructions, capture->pc_instruction_count, capture->pc_instruction_cap);
    *instruction = (struct rl_pc_instruction){.line = RL_NONE};
    return instruction;
}

struct rl_pc_stall *rl_capture_add_pc_stall(struct rl_capture *capture)
{
    struct rl_pc_stall *stall = APPEND(capture->pc_stalls, capture->pc_stall_count, capture->pc_stall_cap);
    *stall = (struct rl_pc_stall){0};
    return stall;
}

struct rl_pc_text *rl_capture_add_pc_text(struct rl_capture *capture)
{
    RL_GROW(capture->pc_texts, capture->pc_text_count + 1, capture->pc_text_cap);
    struct rl_pc_text *text = &capture->pc_texts[capture->pc_text_count++];
    *text = (struct rl_pc_text){0};
    return text;
}

const char *rl_capture_pc_text(const struct rl_capture *capture, size_t instruction)
{
    const size_t at = RL_FIRST_FROM(capture->pc_texts, capture->pc_text_count, instruction, instruction);
    return at < capture->pc_text_count && capture->pc_texts[at].instruction == instruction ? capture->pc_texts[at].text : NULL;
}

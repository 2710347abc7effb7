/* message.h - messages of protocol buffers, field by field, and the values in those of Nsight Compute (private to import/). */
#ifndef RL_IMPORT_MESSAGE_H
#define RL_IMPORT_MESSAGE_H

#include "cell.h"
#include "text.h"

enum rl_part_kind { RL_VARINT = 0, RL_FIXED64 = 1, RL_BYTES = 2, RL_FIXED32 = 5 };

struct rl_part {
    uint64_t number, value; /* `value`: of a RL_VARINT */
    enum rl_part_kind kind;
    struct rl_text bytes; /* of the other kinds; in the message */
};

/* The next field of a message. False at its end, where rest->len is 0, and where it is damaged. */
bool rl_part_next(struct rl_text *rest, struct rl_part *field);
/* Bytes of the last field of that number in a message; empty: it has none. */
struct rl_text rl_part_bytes(struct rl_text message, uint64_t number);
/* A number of up to eight bytes. */
uint64_t rl_little_endian(struct rl_text bytes);
/* Texts may come with the 0 that ends them. */
struct rl_text rl_part_text(struct rl_text bytes);
/* A cell of what ncu prints for the value in a message; empty where it prints nothing. */
struct rl_cell rl_part_cell(struct rl_text message, struct rl_text *words);

#endif

#include "ncu_source.h"

static bool take_varint(struct rl_text *rest, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < rest->len && i < 10; i++) {
        const unsigned char byte = (unsigned char)rest->at[i];
        *value |= (uint64_t)(byte & 0x7F) << 7 * i;
        if (byte < 0x80) {
            *rest = rl_text_from(*rest, i + 1);
            return true;
        }
    }
    return false;
}

bool rl_part_next(struct rl_text *rest, struct rl_part *field)
{
    struct rl_text left = *rest;
    uint64_t key, len = 0;

    if (!take_varint(&left, &key))
        return false;
    *field = (struct rl_part){.number = key >> 3, .kind = (enum rl_part_kind)(key & 7), .bytes = rl_text_of("")};
    if (field->kind == RL_VARINT) {
        if (!take_varint(&left, &field->value))
            return false;
    } else {
        if (field->kind == RL_FIXED32 || field->kind == RL_FIXED64)
            len = field->kind == RL_FIXED32 ? 4 : 8;
        else if (field->kind != RL_BYTES || !take_varint(&left, &len))
            return false;
        if (len > left.len)
            return false;
        field->bytes = (struct rl_text){left.at, (size_t)len};
        left = rl_text_from(left, (size_t)len);
    }
    *rest = left;
    return true;
}

struct rl_text rl_part_bytes(struct rl_text message, uint64_t number)
{
    struct rl_text bytes = rl_text_of("");

    for (struct rl_part field; rl_part_next(&message, &field);)
        if (field.number == number && field.kind == RL_BYTES)
            bytes = field.bytes;
    return bytes;
}

uint64_t rl_little_endian(struct rl_text bytes)
{
    uint64_t number = 0;

    for (size_t i = bytes.len; i-- > 0;)
        number = number << 8 | (unsigned char)bytes.at[i];
    return number;
}

struct rl_text rl_part_text(struct rl_text bytes)
{
    return (struct rl_text){bytes.at, strnlen(bytes.at, bytes.len)};
}

struct rl_cell rl_part_cell(struct rl_text rest, struct rl_text *words)
{
    enum { STRING = 1, FLOAT, DOUBLE, UINT32, UINT64 };
    struct rl_cell cell = rl_cell_read(rl_text_of(""), RL_POINT);
    struct rl_part field;

    *words = rl_text_of("");
    while (rl_part_next(&rest, &field)) {
        if (field.number == STRING && field.kind == RL_BYTES) {
            *words = rl_part_text(field.bytes);
            cell = rl_cell_read(*words, RL_POINT);
        } else if (field.number == FLOAT && field.kind == RL_FIXED32) {
            const uint32_t bits = (uint32_t)rl_little_endian(field.bytes);
            float number;
            memcpy(&number, &bits, sizeof number);
            cell = rl_cell_of((double)number);
        } else if (field.number == DOUBLE && field.kind == RL_FIXED64) {
            const uint64_t bits = rl_little_endian(field.bytes);
            double number;
            memcpy(&number, &bits, sizeof number);
            cell = rl_cell_of(number);
        } else if ((field.number == UINT32 || field.number == UINT64) && field.kind == RL_VARINT) {
            cell = rl_cell_of((double)field.value);
        }
    }
    return cell;
}

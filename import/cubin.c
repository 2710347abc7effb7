/* cubin.c - ELF of 64 bits, and of its debug information the program of lines: DWARF 2 to 4, which nvcc and Triton write. */
#include "ncu_source.h"

struct section {
    struct rl_text name, bytes;
    uint64_t type, size;
};

struct elf {
    struct rl_text file, names; /* `names`: of sections */
    uint64_t table, count;      /* of sections */
    const struct rl_cubin_taker *taker;
};

enum { SECTION_SIZE = 64, SYMBOL_SIZE = 24, RELA = 4, NO_BITS = 8 };
enum { MOST_NAME = 1 << 16, MOST_STEPS = 1 << 26 }; /* `MOST_STEPS`: rows of tables looked at for all lines */
static const char code[] = ".text.";

static struct rl_text part_of(struct rl_text text, uint64_t at, uint64_t size)
{
    if (at > text.len || size > text.len - at)
        return rl_text_of("");
    return (struct rl_text){text.at + at, (size_t)size};
}

static uint64_t number_at(struct rl_text text, uint64_t at, unsigned size)
{
    return rl_little_endian(part_of(text, at, size));
}

static struct section section_at(const struct elf *elf, uint64_t index)
{
    enum { NAME = 0, TYPE = 4, OFFSET = 24, SIZE = 32 };
    struct section section = {.name = rl_text_of(""), .bytes = rl_text_of("")};

    if (index >= elf->count)
        return section;
    const struct rl_text header = part_of(elf->file, elf->table + index * SECTION_SIZE, SECTION_SIZE);
    const uint64_t at = number_at(header, NAME, 4);
    const struct rl_text rest = rl_text_from(elf->names, at < elf->names.len ? (size_t)at : elf->names.len);

    section.name = rl_part_text((struct rl_text){rest.at, rest.len < MOST_NAME ? rest.len : MOST_NAME});
    section.type = number_at(header, TYPE, 4);
    section.size = number_at(header, SIZE, 8);
    if (section.type != NO_BITS)
        section.bytes = part_of(elf->file, number_at(header, OFFSET, 8), section.size);
    return section;
}

static bool find_section(const struct elf *elf, const char *name, struct section *section)
{
    for (uint64_t i = 0; i < elf->count; i++) {
        *section = section_at(elf, i);
        if (rl_text_is(section->name, name))
            return true;
    }
    return false;
}

static bool open_elf(struct elf *elf)
{
    enum { TABLE = 40, ENTRY = 58, COUNT = 60, NAMES = 62 };
    static const char magic[] = {0x7F, 'E', 'L', 'F', 2, 1};

    if (elf->file.len < SECTION_SIZE || memcmp(elf->file.at, magic, sizeof magic) != 0 ||
        number_at(elf->file, ENTRY, 2) != SECTION_SIZE)
        return false;
    elf->table = number_at(elf->file, TABLE, 8);
    elf->count = number_at(elf->file, COUNT, 2);
    if (elf->table > elf->file.len || elf->count * SECTION_SIZE > elf->file.len - elf->table)
        return false;
    elf->names = section_at(elf, number_at(elf->file, NAMES, 2)).bytes;
    return true;
}

/* ---- lines ---- */

struct lines {
    const struct elf *elf;
    struct rl_text all, rest; /* of the section; `rest`: of the unit */
    struct section relocations, symbols;
    struct rl_text folders, files; /* tables in the header */
    uint32_t steps;
    bool full;
};

static uint64_t take(struct rl_text *rest, unsigned size)
{
    const uint64_t number = number_at(*rest, 0, size);

    *rest = rl_text_from(*rest, size);
    return number;
}

/* Seven bits in each byte, as LEB128 has them. */
static uint64_t take_packed(struct rl_text *rest, bool is_signed)
{
    uint64_t number = 0;
    unsigned shift = 0, byte = 0x80;

    while (rest->len && byte & 0x80) {
        byte = (unsigned)take(rest, 1);
        number |= shift < 64 ? (uint64_t)(byte & 0x7F) << shift : 0;
        shift += 7;
    }
    return is_signed && byte & 0x40 && shift < 64 ? number | -(UINT64_C(1) << shift) : number;
}

static struct rl_text take_words(struct rl_text *rest)
{
    const struct rl_text words = rl_part_text(*rest);

    *rest = rl_text_from(*rest, words.len + 1);
    return words;
}

/* The function that an address in the section is relocated to, and the offset in it. */
static struct rl_text function_at(struct lines *lines, uint64_t place, uint64_t *offset)
{
    const struct rl_text table = lines->relocations.bytes, symbols = lines->symbols.bytes;
    const unsigned size = lines->relocations.type == RELA ? 24 : 16;

    for (uint64_t at = 0; at + size <= table.len && !lines->full; at += size) {
        lines->full |= ++lines->steps > MOST_STEPS;
        if (number_at(table, at, 8) != place)
            continue;
        const struct rl_text symbol = part_of(symbols, SYMBOL_SIZE * (number_at(table, at + 8, 8) >> 32), SYMBOL_SIZE);
        const struct rl_text name = section_at(lines->elf, number_at(symbol, 6, 2)).name;
        *offset += number_at(symbol, 8, 8) + (size == 24 ? number_at(table, at + 16, 8) : 0);
        return rl_text_begins(name, code) ? rl_text_from(name, strlen(code)) : rl_text_of("");
    }
    return rl_text_of("");
}

static struct rl_text folder_of(struct lines *lines, uint64_t number)
{
    struct rl_text rest = lines->folders, words = rl_text_of("");

    for (uint64_t i = 0; i < number && rest.len && !lines->full; i++) {
        lines->full |= ++lines->steps > MOST_STEPS;
        words = take_words(&rest);
    }
    return words;
}

static struct rl_text file_of(struct lines *lines, uint64_t number, struct rl_text *folder)
{
    struct rl_text rest = lines->files, words = rl_text_of("");

    *folder = rl_text_of("");
    for (uint64_t i = 0, in; i < number && rest.len && !lines->full; i++) {
        lines->full |= ++lines->steps > MOST_STEPS;
        words = take_words(&rest);
        in = take_packed(&rest, false);
        if (i + 1 == number)
            *folder = folder_of(lines, in);
        take_packed(&rest, false); /* time */
        take_packed(&rest, false); /* size */
    }
    return words;
}

struct state {
    struct rl_text function, folder, file;
    uint64_t offset;
    uint32_t line;
};

static void give(struct lines *lines, const struct state *state, uint32_t line)
{
    const struct rl_cubin_taker *taker = lines->elf->taker;

    if (state->function.len)
        lines->full |= !taker->line(taker->context, state->function, state->offset, state->folder, state->file, line);
}

static void extended(struct lines *lines, struct state *state, struct rl_text *program)
{
    enum { END = 1, SET_ADDRESS = 2 };
    const uint64_t len = take_packed(program, false);
    struct rl_text operation = part_of(*program, 0, len);

    *program = rl_text_from(*program, len < program->len ? (size_t)len : program->len);
    const unsigned opcode = operation.len ? (unsigned)take(&operation, 1) : 0;
    if (opcode == END) {
        give(lines, state, 0);
        *state = (struct state){.function = rl_text_of(""), .line = 1};
        state->file = file_of(lines, 1, &state->folder);
    } else if (opcode == SET_ADDRESS && operation.len == 8) {
        const uint64_t place = (uint64_t)(operation.at - lines->all.at);
        state->offset = number_at(operation, 0, 8);
        state->function = function_at(lines, place, &state->offset);
    }
}

struct header {
    unsigned step, line_range, opcode_base;
    int line_base;
    struct rl_text operands; /* how many of each standard opcode */
};

static void run(struct lines *lines, const struct header *header, struct rl_text program)
{
    enum { EXTENDED, COPY, ADVANCE, ADVANCE_LINE, SET_FILE, CONST_ADVANCE = 8, FIXED_ADVANCE };
    struct state state = {.function = rl_text_of(""), .line = 1};

    state.file = file_of(lines, 1, &state.folder);
    while (program.len && !lines->full) {
        const unsigned opcode = (unsigned)take(&program, 1), special = opcode - header->opcode_base;
        if (opcode >= header->opcode_base) {
            state.offset += special / header->line_range * header->step;
            state.line += (uint32_t)(header->line_base + (int)(special % header->line_range));
            give(lines, &state, state.line);
        } else if (opcode == EXTENDED) {
            extended(lines, &state, &program);
        } else if (opcode == COPY) {
            give(lines, &state, state.line);
        } else if (opcode == ADVANCE) {
            state.offset += take_packed(&program, false) * header->step;
        } else if (opcode == ADVANCE_LINE) {
            state.line += (uint32_t)take_packed(&program, true);
        } else if (opcode == SET_FILE) {
            state.file = file_of(lines, take_packed(&program, false), &state.folder);
        } else if (opcode == CONST_ADVANCE) {
            state.offset += (255 - header->opcode_base) / header->line_range * header->step;
        } else if (opcode == FIXED_ADVANCE) {
            state.offset += take(&program, 2);
        } else {
            for (uint64_t i = number_at(header->operands, opcode - 1, 1); i > 0; i--)
                take_packed(&program, false);
        }
    }
}

/* One unit; false where it is damaged or of another form. */
static bool read_unit(struct lines *lines)
{
    const uint64_t len = take(&lines->rest, 4);
    struct rl_text unit = part_of(lines->rest, 0, len);
    struct header header;

    if (unit.len == 0)
        return false;
    lines->rest = rl_text_from(lines->rest, unit.len);
    const uint64_t version = take(&unit, 2), header_len = take(&unit, 4);
    const struct rl_text program = rl_text_from(unit, header_len < unit.len ? (size_t)header_len : unit.len);
    if (version < 2 || version > 4)
        return true;
    unit.len -= program.len;
    header.step = (unsigned)take(&unit, 1);
    take(&unit, version == 4 ? 2 : 1);
    header.line_base = (int8_t)take(&unit, 1);
    header.line_range = (unsigned)take(&unit, 1);
    header.opcode_base = (unsigned)take(&unit, 1);
    header.operands = part_of(unit, 0, header.opcode_base ? header.opcode_base - 1 : 0);
    unit = rl_text_from(unit, header.operands.len);
    lines->folders = unit;
    while (take_words(&unit).len)
        ;
    lines->files = unit;
    if (header.line_range && header.opcode_base)
        run(lines, &header, program);
    return true;
}

static void read_lines(const struct elf *elf)
{
    struct lines lines = {.elf = elf};
    struct section section;

    if (!find_section(elf, ".debug_line", &section) || !find_section(elf, ".symtab", &lines.symbols) ||
        (!find_section(elf, ".rel.debug_line", &lines.relocations) && !find_section(elf, ".rela.debug_line", &lines.relocations)))
        return;
    lines.all = lines.rest = section.bytes;
    while (lines.rest.len >= 4 && !lines.full && read_unit(&lines))
        ;
}

void rl_cubin_read(struct rl_text cubin, const struct rl_cubin_taker *taker)
{
    struct elf elf = {.file = cubin, .names = rl_text_of(""), .taker = taker};

    if (!open_elf(&elf))
        return;
    for (uint64_t i = 0; i < elf.count; i++) {
        const struct section section = section_at(&elf, i);
        if (rl_text_begins(section.name, code))
            taker->function(taker->context, rl_text_from(section.name, strlen(code)), section.size);
    }
    read_lines(&elf);
}

/* patch.c - a jump over the beginning of a function (guest.h). */
#include "guest.h"

#include <sys/mman.h>
#include <unistd.h>

#ifdef __x86_64__

enum {
    JUMP = 5,         /* size of a jump with a 32-bit displacement */
    FAR_JUMP = 14,    /* and of an absolute jump */
    MOST_COPIED = 48, /* of a function's beginning, with room for relocated instructions */
    STUB = FAR_JUMP + MOST_COPIED + FAR_JUMP,
    ALIGN = 8,      /* bytes written atomically */
    STEP = 1 << 16, /* step between candidate addresses for the stubs */
    MOST_TRIES = 1 << 14
};

/* A copy of instructions in progress. */
struct copy {
    const uint8_t *from;
    uint8_t *to;
    bool over; /* the last instruction is an unconditional jump */
};

static bool is_near(const void *from, const void *to)
{
    const intptr_t distance = (intptr_t)to - (intptr_t)from;
    return distance > INT32_MIN / 2 && distance < INT32_MAX / 2;
}

static const uint8_t far_jump[] = {0xFF, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip), with the address behind it */

static void put_far_jump(uint8_t *at, const void *to)
{
    memcpy(at, far_jump, sizeof far_jump);
    memcpy(at + sizeof far_jump, &to, sizeof to);
}

/* Instructions of one byte and an operand, and the bytes of the constant behind it. */
static const struct {
    uint8_t code;
    uint8_t constant;
} plain[] = {{0x01, 0}, {0x03, 0}, {0x29, 0}, {0x2B, 0}, {0x31, 0}, {0x33, 0}, {0x39, 0}, {0x3B, 0}, {0x63, 0}, {0x80, 1},
             {0x81, 4}, {0x83, 1}, {0x84, 0}, {0x85, 0}, {0x88, 0}, {0x89, 0}, {0x8B, 0}, {0x8D, 0}, {0xC6, 1}, {0xC7, 4}};

/* An operand addressed relative to the instruction pointer stays where it is. */
static bool copy_with_operand(struct copy *copy, size_t before, size_t constant)
{
    const uint8_t *operand = copy->from + before;
    /* The bytes of an operand in memory or in a register, from the byte that names it on. */
    const unsigned mod = operand[0] >> 6, low = operand[0] & 7;
    const size_t index = mod != 3 && low == 4;
    const bool bare = mod == 0 && (low == 5 || (index && (operand[1] & 7) == 5));
    const size_t bytes = before + (1 + index + (mod == 1 ? 1 : mod == 2 || bare ? 4 : 0)) + constant;
    memcpy(copy->to, copy->from, bytes);
    if ((operand[0] & 0xC7) == 0x05) {
        int32_t distance;
        memcpy(&distance, operand + 1, sizeof distance);
        const intptr_t moved = (intptr_t)distance + (copy->from - copy->to);
        distance = (int32_t)moved;
        if (moved != distance)
            return false;
        memcpy(copy->to + before + 1, &distance, sizeof distance);
    }
    copy->from += bytes;
    copy->to += bytes;
    return true;
}

static bool copy_bytes(struct copy *copy, size_t bytes)
{
    memcpy(copy->to, copy->from, bytes);
    copy->from += bytes;
    copy->to += bytes;
    return true;
}

/* Converts a relative jump, conditional jump or call to one with a 32-bit displacement. */
static bool copy_branch(struct copy *copy)
{
    const uint8_t code = copy->from[0];
    const bool is_short = code == 0xEB || (code & 0xF0) == 0x70;
    int32_t distance = is_short ? (int8_t)copy->from[1] : 0;
    if (!is_short)
        memcpy(&distance, copy->from + 1, sizeof distance);
    copy->from += is_short ? 2 : JUMP;
    const uint8_t *target = copy->from + distance;
    copy->over = code == 0xEB || code == 0xE9;
    if (copy->over) {
        put_far_jump(copy->to, target);
        copy->to += FAR_JUMP;
        return true;
    }
    const uint8_t condition[] = {0x0F, (uint8_t)(0x80 | (code & 0x0F))};
    const size_t codes = code == 0xE8 ? 1 : sizeof condition;
    memcpy(copy->to, code == 0xE8 ? &code : condition, codes);
    copy->to += codes + sizeof distance;
    if (!is_near(copy->to, target))
        return false;
    distance = (int32_t)(target - copy->to);
    memcpy(copy->to - sizeof distance, &distance, sizeof distance);
    return true;
}

/* False: an instruction that this does not decode. */
static bool copy_one(struct copy *copy)
{
    static const uint8_t landing[] = {0xF3, 0x0F, 0x1E, 0xFA}; /* endbr64 */
    const uint8_t *at = copy->from;
    if (memcmp(at, landing, sizeof landing) == 0)
        return copy_bytes(copy, sizeof landing);
    if (at[0] == 0xEB || at[0] == 0xE8 || at[0] == 0xE9 || (at[0] & 0xF0) == 0x70)
        return copy_branch(copy);
    size_t before = at[0] == 0x64; /* %fs: */
    const bool narrow = at[before] == 0x66;
    before += narrow;
    const bool wide = (at[before] & 0xF8) == 0x48;
    before += (at[before] & 0xF0) == 0x40;
    const uint8_t code = at[before];
    if ((code & 0xF0) == 0x50) /* push, pop */
        return copy_bytes(copy, before + 1);
    if ((code & 0xF8) == 0xB8 && !narrow)
        return copy_bytes(copy, before + (wide ? 9 : 5));
    if (code == 0x0F && (at[before + 1] == 0xEF || at[before + 1] == 0x57)) /* pxor, xorps */
        return copy_with_operand(copy, before + 2, 0);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0] && !narrow; i++)
        if (plain[i].code == code)
            return copy_with_operand(copy, before + 1, plain[i].constant);
    return false;
}

/* The copied beginning of the function, followed by a jump to the rest. */
static bool copy_beginning(const uint8_t *entry, uint8_t *to)
{
    struct copy copy = {.from = entry, .to = to};
    while (copy.from < entry + JUMP)
        if (copy.over || !copy_one(&copy))
            return false;
    if (!copy.over)
        put_far_jump(copy.to, copy.from);
    return true;
}

/* Memory for stubs within reach of a relative jump; NULL: none. */
static uint8_t *map_near(const void *entry, size_t bytes)
{
    const uintptr_t at = (uintptr_t)entry & ~(uintptr_t)(STEP - 1);
    for (uintptr_t i = 1; i < MOST_TRIES; i++) {
        const uintptr_t wish = i % 2 ? at + (i / 2 + 1) * STEP : at - (i / 2) * STEP;
        void *got = mmap((void *)wish, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == MAP_FAILED)
            continue;
        if (is_near(entry, got))
            return got;
        munmap(got, bytes); /* kernels without this flag treat the address as a hint */
    }
    return NULL;
}

/* Other threads may execute the function: they see the old or the new bytes. ThreadSanitizer does not track code. */
__attribute__((no_sanitize("thread"))) static bool write_jump(uint8_t *entry, const uint8_t *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)entry & ~(page - 1);
    const size_t bytes = (uintptr_t)entry + ALIGN - first > page ? 2 * page : page;
    const int32_t distance = (int32_t)(to - (entry + JUMP));
    uint64_t word;
    if (mprotect((void *)first, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    memcpy(&word, entry, sizeof word);
    ((uint8_t *)&word)[0] = 0xE9;
    memcpy((uint8_t *)&word + 1, &distance, sizeof distance);
    __atomic_store_n((uint64_t *)(void *)entry, word, __ATOMIC_SEQ_CST);
    (void)mprotect((void *)first, bytes, PROT_READ | PROT_EXEC);
    return true;
}

/* Prepares the patch without writing it. */
static bool make_stub(const struct patch *patch, uint8_t *stub)
{
    uint8_t *original = stub + FAR_JUMP;
    put_far_jump(stub, patch->to);
    if (!is_near(patch->entry, stub) || (uintptr_t)patch->entry % ALIGN != 0)
        return false;
    if (patch->original && !copy_beginning(patch->entry, original))
        return false;
    return true;
}

bool patch_all(const struct patch *patches, size_t count)
{
    const void *first = NULL;
    for (size_t i = 0; i < count; i++)
        first = first ? first : patches[i].entry;
    uint8_t *stubs = first ? map_near(first, count * STUB) : NULL;
    bool all = stubs;
    for (size_t i = 0; i < count && all; i++)
        all = !patches[i].entry || make_stub(&patches[i], stubs + i * STUB);
    if (!all || mprotect(stubs, count * STUB, PROT_READ | PROT_EXEC) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (patches[i].entry && patches[i].original)
            *patches[i].original = stubs + i * STUB + FAR_JUMP;
    for (size_t i = 0; i < count && all; i++)
        all = !patches[i].entry || write_jump(patches[i].entry, stubs + i * STUB);
    return all;
}

bool patch_is_done(const void *entry, const void *to)
{
    const uint8_t *at = entry;
    int32_t distance;
    const void *leads_to;
    memcpy(&distance, at + 1, sizeof distance);
    const uint8_t *stub = at + JUMP + distance;
    if (at[0] != 0xE9 || memcmp(stub, far_jump, sizeof far_jump) != 0)
        return false;
    memcpy(&leads_to, stub + sizeof far_jump, sizeof leads_to);
    return leads_to == to;
}

#else

bool patch_is_done(const void *entry, const void *to)
{
    (void)entry, (void)to;
    return false;
}

bool patch_all(const struct patch *patches, size_t count)
{
    (void)patches, (void)count;
    return false; /* prologues are decoded on x86-64 */
}

#endif

/* modules.c - modules of the program, which say which line each instruction is of. They are copied when they are loaded, because a
 * compiler that makes kernels while the program runs keeps none of them, and reported when an instruction of theirs was sampled. */
#include <elf.h>
#include <sys/mman.h>

#include "pc.h"

enum { MOST_MODULES = 1 << 12, MOST_KEPT = 128 << 20 };

static struct module {
    uint64_t crc;
    char *bytes; /* NULL: reported, or there was no room */
    size_t size, told;
    bool wanted;
} * modules; /* MOST_MODULES; all of it under `lock` */
static size_t module_count, kept;

static bool is_within(size_t size, uint64_t at, uint64_t bytes)
{
    return at <= size && bytes <= size - at;
}

static bool read_section(const char *bytes, size_t size, const Elf64_Ehdr *head, size_t index, Elf64_Shdr *section)
{
    const uint64_t at = head->e_shoff + index * sizeof *section;
    if (head->e_shoff > size || !is_within(size, at, sizeof *section))
        return false;
    memcpy(section, bytes + at, sizeof *section);
    return true;
}

bool module_has_lines(const char *bytes, size_t size)
{
    static const char wanted[] = ".debug_line";
    Elf64_Ehdr head;
    Elf64_Shdr names, section;
    if (size < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shentsize != sizeof section ||
        !read_section(bytes, size, &head, head.e_shstrndx, &names) || !is_within(size, names.sh_offset, names.sh_size))
        return false;
    for (size_t i = 0; i < head.e_shnum && read_section(bytes, size, &head, i, &section); i++)
        if (is_within(names.sh_size, section.sh_name, sizeof wanted) &&
            memcmp(bytes + names.sh_offset + section.sh_name, wanted, sizeof wanted) == 0)
            return section.sh_size > 0;
    return false;
}

static bool is_known(uint64_t crc)
{
    for (size_t i = 0; i < module_count; i++)
        if (modules[i].crc == crc)
            return true;
    return false;
}

static char *copy_of(const void *cubin, size_t size)
{
    if (size > RL_STREAM_MOST_CUBIN || size > MOST_KEPT - kept)
        return NULL;
    char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return copy == MAP_FAILED ? NULL : memcpy(copy, cubin, size);
}

static void add(uint64_t crc, const void *cubin, size_t size)
{
    assume(is_held());
    if (!modules && !(modules = keep(MOST_MODULES * sizeof *modules)))
        return;
    if (is_known(crc))
        return;
    char *copy = module_count < MOST_MODULES ? copy_of(cubin, size) : NULL;
    if (!copy)
        return;
    kept += size;
    modules[module_count++] = (struct module){.crc = crc, .bytes = copy, .size = size};
}

void module_loaded(const void *cubin, size_t size)
{
    CUpti_GetCubinCrcParams params = {.size = CUpti_GetCubinCrcParamsSize, .cubin = cubin, .cubinSize = size};
    if (!cubin || !module_has_lines(cubin, size) || rl_cupti.cuptiGetCubinCrc(&params) != CUPTI_SUCCESS || !hold())
        return;
    add(params.cubinCrc, cubin, size);
    let_go();
}

void module_want(uint64_t crc)
{
    assume(is_held());
    for (size_t i = 0; i < module_count; i++)
        modules[i].wanted |= modules[i].crc == crc;
}

void modules_flush(void)
{
    assume(is_held());
    for (size_t i = 0; i < module_count; i++)
        if (modules[i].wanted && modules[i].bytes) {
            /* Sends parts of it while there is room for others, too. */
            struct module *module = &modules[i];
            static struct {
                struct rl_record_cubin is;
                char part[RL_STREAM_CUBIN_PART];
            } record;
            while (module->told < module->size && out_has_room(sizeof record)) {
                const size_t left = module->size - module->told, size = left < sizeof record.part ? left : sizeof record.part;
                record.is = (struct rl_record_cubin){
                    .cubin = module->crc, .size = module->size, .at = module->told, .part_size = (uint32_t)size};
                memcpy(record.part, module->bytes + module->told, size);
                out_add(RL_RECORD_cubin, &record, sizeof record.is + size, NULL, 0);
                module->told += size;
            }
            if (module->told >= module->size) {
                (void)munmap(module->bytes, module->size);
                module->bytes = NULL;
                kept -= module->size;
            }
        }
}

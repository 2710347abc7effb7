/* find_object.c - a function of glibc 2.35 by which libgcc unwinds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The object that a place in the code belongs to, of 2.35: by the list of loaded objects. */
struct search {
    uintptr_t wanted;
    struct dl_find_object *found;
};

static int look_at(struct dl_phdr_info *object, size_t size, void *context)
{
    struct search *search = context;
    uintptr_t start = UINTPTR_MAX, end = 0, frames = 0;
    bool inside = false;
    (void)size;
    for (const ElfW(Phdr) *part = object->dlpi_phdr; part < object->dlpi_phdr + object->dlpi_phnum; part++) {
        const uintptr_t first = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME)
            frames = first;
        if (part->p_type != PT_LOAD)
            continue;
        start = first < start ? first : start;
        end = first + part->p_memsz > end ? first + part->p_memsz : end;
        inside = inside || (search->wanted >= first && search->wanted - first < part->p_memsz);
    }
    if (!inside || !frames)
        return 0;
    *search->found = (struct dl_find_object){.dlfo_map_start = (void *)start, .dlfo_map_end = (void *)end, .dlfo_eh_frame = (void *)frames};
    return 1;
}

int _dl_find_object(void *address, struct dl_find_object *found)
{
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(look_at, &search) == 1 ? 0 : -1;
}

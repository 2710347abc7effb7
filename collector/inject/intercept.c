/* intercept.c - redirects the program's CUPTI calls (guest.h). Functions of the copy that we use are redirected to shims.c; those
 * of every other copy, whatever its version, to the same functions of ours, so that a single CUPTI is active in the process. Copies
 * loaded later are found at symbol lookup, which follows the loading of a library. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include "guest.h"

enum { MOST_COPIES = 8, MOST_SHIMS = 64, MOST_FUNCTIONS = 512, LONGEST_NS = 500000000 };
static const char prefix[] = "cupti", library[] = "libcupti.so";

struct other_api others;
/* A loaded library. */
struct module {
    uintptr_t base, from, to; /* load address; range of its executable segments */
    const ElfW(Dyn) * dynamic;
    const char *path;
};
static struct module own, ours; /* this library; the copy of CUPTI that we use */
static pthread_mutex_t look_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool serves_others;
static atomic_ullong loaded; /* number of libraries loaded so far, at the last look */

bool intercept_is_own(const void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    return (at >= own.from && at < own.to) || (at >= ours.from && at < ours.to);
}

/* ---- libraries in memory ---- */

static struct module module_of(const struct dl_phdr_info *info)
{
    struct module module = {.base = info->dlpi_addr, .path = info->dlpi_name};
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const uintptr_t from = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_DYNAMIC)
            module.dynamic = (const ElfW(Dyn) *)from;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        module.from = module.from && module.from < from ? module.from : from;
        module.to = from + part->p_memsz > module.to ? from + part->p_memsz : module.to;
    }
    return module;
}

static bool is_copy(const struct module *module)
{
    const char *slash = module->path ? strrchr(module->path, '/') : NULL;
    const char *name = slash ? slash + 1 : module->path ? module->path : "";
    return strncmp(name, library, sizeof library - 1) == 0;
}

/* The library that contains an address. */
struct sought {
    uintptr_t at;
    struct module *found;
};

static int take_if_at(struct dl_phdr_info *info, size_t size, void *data)
{
    const struct sought *sought = data;
    const struct module module = module_of(info);
    (void)size;
    if (sought->at < module.from || sought->at >= module.to)
        return 0;
    *sought->found = module;
    return 1;
}

static void find_at(const void *address, struct module *found)
{
    struct sought sought = {(uintptr_t)address, found};
    (void)dl_iterate_phdr(take_if_at, &sought);
}

static int take_first_copy(struct dl_phdr_info *info, size_t size, void *data)
{
    const struct module module = module_of(info);
    (void)size;
    if (!is_copy(&module))
        return 0;
    *(const char **)data = info->dlpi_name;
    return 1;
}

const char *intercept_loaded(void)
{
    const char *path = NULL;
    (void)dl_iterate_phdr(take_first_copy, &path);
    return path;
}

/* ---- its functions ---- */

/* The loader may have relocated the addresses in the table. */
static const void *table_at(const struct module *module, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *row = module->dynamic; row && row->d_tag != DT_NULL; row++)
        if (row->d_tag == tag)
            return (const void *)(row->d_un.d_ptr < module->base ? module->base + row->d_un.d_ptr : row->d_un.d_ptr);
    return NULL;
}

static size_t symbols_by_gnu_hash(const uint32_t *hash)
{
    const uint32_t buckets = hash[0], first = hash[1], words = hash[2];
    const uint32_t *bucket = hash + 4 + words * (sizeof(ElfW(Addr)) / sizeof *hash), *chain = bucket + buckets;
    uint32_t last = 0;
    for (uint32_t i = 0; i < buckets; i++)
        last = bucket[i] > last ? bucket[i] : last;
    if (last < first)
        return first;
    while (!(chain[last - first] & 1))
        last++;
    return last + 1;
}

static size_t symbol_count(const struct module *module)
{
    const uint32_t *gnu = table_at(module, DT_GNU_HASH), *old = table_at(module, DT_HASH);
    return gnu ? symbols_by_gnu_hash(gnu) : old ? old[1] : 0;
}

/* The functions of another copy of CUPTI in the program. */
static size_t patches_of(const struct module *copy, struct patch patches[MOST_FUNCTIONS])
{
    const ElfW(Sym) *symbols = table_at(copy, DT_SYMTAB);
    const char *names = table_at(copy, DT_STRTAB);
    const size_t total = symbols && names ? symbol_count(copy) : 0;
    size_t count = 0;
    for (size_t i = 0; i < total && count < MOST_FUNCTIONS; i++) {
        const ElfW(Sym) *symbol = &symbols[i];
        const char *name = names + symbol->st_name;
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_value || strncmp(name, prefix, sizeof prefix - 1) != 0)
            continue;
        const void *to = rl_cupti_symbol(name);
        void *entry = (void *)(copy->base + symbol->st_value);
        if (to && !patch_is_done(entry, to))
            patches[count++] = (struct patch){.entry = entry, .to = to};
    }
    return count;
}

struct found {
    struct module copies[MOST_COPIES];
    size_t count;
};

static int take_copy(struct dl_phdr_info *info, size_t size, void *data)
{
    struct found *found = data;
    const struct module module = module_of(info);
    (void)size;
    if (found->count < MOST_COPIES && is_copy(&module))
        found->copies[found->count++] = module;
    return 0;
}

static int take_loaded(struct dl_phdr_info *info, size_t size, void *data)
{
    *(unsigned long long *)data = size > offsetof(struct dl_phdr_info, dlpi_adds) ? info->dlpi_adds : 0;
    return 1;
}

/* Waits for the thread that looks first: it may find what this one is about to call. */
static void look_for_copies(void)
{
    static __thread bool looking __attribute__((tls_model("initial-exec"))); /* this thread, which a handler may have interrupted */
    unsigned long long now = 0;
    struct found found = {.count = 0};
    (void)dl_iterate_phdr(take_loaded, &now);
    const struct timespec until = rl_deadline_in(LONGEST_NS);
    if (looking || now == atomic_load(&loaded) || pthread_mutex_timedlock(&look_lock, &until) != 0)
        return;
    looking = true;
    (void)dl_iterate_phdr(take_loaded, &now);
    (void)dl_iterate_phdr(take_copy, &found);
    for (size_t i = 0; i < found.count; i++) {
        const struct module *copy = &found.copies[i];
        static struct patch patches[MOST_FUNCTIONS]; /* under look_lock */
        size_t count = 0;
        if (copy->base != ours.base && (count = patches_of(copy, patches)) && patch_all(patches, count))
            atomic_store(&serves_others, true);
    }
    atomic_store(&loaded, now);
    looking = false;
    pthread_mutex_unlock(&look_lock);
}

bool intercept_serves_others(void)
{
    return atomic_load(&serves_others);
}

void intercept_renew(void)
{
    look_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

#ifdef __x86_64__
/* The C library identifies the caller by the return address, so this is a jump that leaves all arguments as they came. */
static void *dlsym_original __attribute__((used)), *dlvsym_original __attribute__((used));
#define LOOK_FIRST(name, original)                                                                                                 \
    __asm__(".text\n.type " #name ",@function\n" #name ":\n"                                                                       \
            "push %rdi\npush %rsi\npush %rdx\ncall look_first\npop %rdx\npop %rsi\npop %rdi\njmp *" #original "(%rip)\n");         \
    void name(void)
LOOK_FIRST(dlsym_looked, dlsym_original);
LOOK_FIRST(dlvsym_looked, dlvsym_original);

static void look_first(void) __attribute__((used));
static void look_first(void)
{
    look_for_copies();
}

/* The functions of the C library itself, even where another library has interposed them. */
static void lead_symbols(void)
{
    struct patch patches[] = {{.to = (const void *)dlsym_looked, .original = &dlsym_original},
                              {.to = (const void *)dlvsym_looked, .original = &dlvsym_original}};
    static const char *const libraries[] = {"libc.so.6", "libdl.so.2"};
    for (size_t i = 0; i < RL_COUNT(libraries) && !patches[0].entry; i++) {
        void *handle = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
        patches[0].entry = handle ? dlsym(handle, "dlsym") : NULL;
        patches[1].entry = handle ? dlsym(handle, "dlvsym") : NULL;
        if (handle)
            dlclose(handle);
    }
    (void)patch_all(patches, RL_COUNT(patches));
}
#else
static void lead_symbols(void) {}
#endif

static bool lead_ours(const struct shim *shims, size_t count)
{
    struct patch patches[MOST_SHIMS];
    for (size_t i = 0; i < count; i++) {
        void *entry = rl_cupti_symbol(shims[i].name);
        *shims[i].original = entry;
        patches[i] = (struct patch){.entry = entry, .to = shims[i].to, .original = shims[i].original};
    }
    return patch_all(patches, count);
}

bool intercept_start(const struct shim *shims, size_t count)
{
    assume(count <= MOST_SHIMS);
    others.cuptiGetContextId = (__typeof__(others.cuptiGetContextId))rl_cupti_symbol("cuptiGetContextId");
    find_at((const void *)intercept_start, &own);
    find_at((const void *)rl_cupti.cuptiGetVersion, &ours);
    if (!own.to || !ours.to || !lead_ours(shims, count))
        return false;
    look_for_copies();
    lead_symbols();
    return true;
}

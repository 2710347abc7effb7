/* availability.c - the counters that the GPU has: from the parent's notes if known, else queried and reported to the parent
 * (../availability.h). */
#include "availability.h"

#include "handout.h"
#include "window.h"

static bool key_of(const char *chip, int device, uint64_t *key)
{
    CUresult (*name_of)(char *, int, CUdevice) = DRIVER(cuDeviceGetName);
    CUresult (*get)(CUdevice *, int) = DRIVER(cuDeviceGet);
    CUdevice handle = 0;
    char product[256] = "";
    uint32_t version = 0;
    if (!name_of || !get || get(&handle, device) != CUDA_SUCCESS || name_of(product, (int)sizeof product, handle) != CUDA_SUCCESS ||
        rl_cupti.cuptiGetVersion(&version) != CUPTI_SUCCESS)
        return false;
    *key = rl_availability_key(chip, product, version);
    return true;
}

static const uint8_t *find(const char *chip, int device, size_t *size)
{
    char name[sizeof RL_AVAILABILITY_NOTE + RL_AVAILABILITY_CHIP + 18];
    uint64_t key;
    if (!key_of(chip, device, &key))
        return NULL;
    snprintf(name, sizeof name, RL_AVAILABILITY_NOTE "%.*s.%016" PRIx64, RL_AVAILABILITY_CHIP, chip, key);
    return (const uint8_t *)rl_handout_find(notes, notes_size, name, size);
}

char *availability_only(const uint8_t **image)
{
    const size_t beginning = strlen(RL_AVAILABILITY_NOTE);
    struct rl_handout_note note;
    char *only = NULL;
    for (size_t at = 0; rl_handout_next(notes, notes_size, &at, &note);) {
        if (note.name_len < beginning || memcmp(note.name, RL_AVAILABILITY_NOTE, beginning) != 0)
            continue;
        const char *chip = note.name + beginning, *dot = memchr(chip, '.', note.name_len - beginning);
        if (only || !dot) {
            free(only);
            return NULL;
        }
        only = rl_strndup(chip, (size_t)(dot - chip));
        *image = (const uint8_t *)note.text;
    }
    return only;
}

void availability_start(void)
{
    rl_range_know(find);
}

void availability_tell(const struct rl_range_profiler *profiler)
{
    static union {
        struct rl_record_availability is;
        char bytes[sizeof(struct rl_record_availability) + RL_AVAILABILITY_MOST];
    } record;
    uint64_t key;
    const size_t size = profiler->availability_size;
    if (!profiler->asked || !size || size > RL_AVAILABILITY_MOST || !key_of(profiler->chip, profiler->device, &key) || !hold())
        return;
    record.is = (struct rl_record_availability){.gpu = (uint32_t)profiler->device, .size = (uint32_t)size, .key = key};
    memcpy(record.is.image, profiler->availability, size);
    out_add(RL_RECORD_availability, &record, sizeof record.is + size, NULL, 0);
    let_go();
}

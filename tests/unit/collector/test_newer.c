/* Our declarations of what is newer than CUPTI 11.8 (collector/cupti/newer.def), held against the headers of this build's toolkit
 * where it has them: what differs does not compile. With an older toolkit they are the ones in use, and nothing is left to compare.
 */
#include "rl_test.h"

#include <stddef.h>
#include <string.h>

#include "core/mem.h"
#include "cupti_api.h"

#define SAME(ours, theirs, member)                                                                                                 \
    _Static_assert(offsetof(ours, member) == offsetof(theirs, member) &&                                                           \
                       sizeof(((ours *)0)->member) == sizeof(((theirs *)0)->member),                                               \
                   #theirs "." #member)

#define NEWER_NUMBER(name, value) _Static_assert((int)(name) == (value), #name);
#define MEMBER(type, name)        type name;
#define NEWER_PARAMS(function, name, last, members)                                                                                \
    _Static_assert(_Generic(&function, CUptiResult(*)(CUpti_##name##_Params *) : 1), #function " takes its parameters");           \
    struct ours_##name {                                                                                                           \
        size_t structSize;                                                                                                         \
        void *pPriv;                                                                                                               \
        members                                                                                                                    \
    };                                                                                                                             \
    _Static_assert(sizeof(struct ours_##name) == sizeof(CUpti_##name##_Params), #name);                                            \
    _Static_assert(offsetof(struct ours_##name, last) + sizeof(((struct ours_##name *)0)->last) ==                                 \
                       (size_t)CUpti_##name##_Params_STRUCT_SIZE,                                                                  \
                   #name ": structSize");
#include "newer.def"
#undef MEMBER

#define NEWER_NUMBER(name, value)
#define MEMBER(type, name) SAME(our_params, their_params, name);
#define NEWER_PARAMS(function, name, last, members)                                                                                \
    void same_##name(void);                                                                                                        \
    void same_##name(void)                                                                                                         \
    {                                                                                                                              \
        typedef struct ours_##name our_params;                                                                                     \
        typedef CUpti_##name##_Params their_params;                                                                                \
        members                                                                                                                    \
    }
#include "newer.def"

#if CUPTI_API_VERSION >= 24
SAME(rl_pc_data, CUpti_PCSamplingData, size);
SAME(rl_pc_data, CUpti_PCSamplingData, collectNumPcs);
SAME(rl_pc_data, CUpti_PCSamplingData, totalSamples);
SAME(rl_pc_data, CUpti_PCSamplingData, droppedSamples);
SAME(rl_pc_data, CUpti_PCSamplingData, totalNumPcs);
SAME(rl_pc_data, CUpti_PCSamplingData, remainingNumPcs);
SAME(rl_pc_data, CUpti_PCSamplingData, rangeId);
SAME(rl_pc_data, CUpti_PCSamplingData, pPcData);
SAME(rl_pc_data, CUpti_PCSamplingData, nonUsrKernelsTotalSamples);
SAME(rl_pc_data, CUpti_PCSamplingData, hardwareBufferFull);
_Static_assert(sizeof(rl_pc_data) == sizeof(CUpti_PCSamplingData), "CUpti_PCSamplingData");
#endif

/* ---- rows ---- */

static const char *const declared[] = {
#define NEWER_NUMBER(name, value)
#define NEWER_PARAMS(function, ...) #function,
#include "newer.def"
};
static const char *const used[] = {
#define CUPTI_FUNCTION(name) #name,
#define CUPTI_OPTIONAL(name) #name,
#define CUPTI_RANGE(name)    #name,
#include "cupti_api.def"
};

static void what_is_declared_is_used(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(declared); i++) {
        bool found = false;
        for (size_t k = 0; k < RL_COUNT(used); k++)
            found = found || strcmp(declared[i], used[k]) == 0;
        if (!found)
            fail_msg("newer.def has %s, which nothing calls", declared[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_declared_is_used)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

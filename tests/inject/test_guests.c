/* Functions of other libraries that are led to ours: beginnings by hand, and those of the CUPTI that is installed. */
#include "rl_test.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/collector.h"
#include "core/mem.h"
#include "guest.h"

/* ---- beginnings ---- */

typedef long (*function)(long x);

static long of_ours(long x)
{
    return x + 1000000;
}

/* Functions by their code, which returns 3 times what it gets, or 7 where it says so. */
static const struct {
    const char *what;
    long returns_7;
    unsigned char code[32];
} beginnings[] = {
    {"frame", 0, {0x55, 0x48, 0x89, 0xE5, 0x41, 0x57, 0x48, 0x8D, 0x04, 0x7F, 0x41, 0x5F, 0x5D, 0xC3}},
    {"landing", 0, {0xF3, 0x0F, 0x1E, 0xFA, 0x48, 0x83, 0xEC, 0x08, 0x48, 0x8D, 0x04, 0x7F, 0x48, 0x83, 0xC4, 0x08, 0xC3}},
    {"constant", 7, {0xB8, 7, 0, 0, 0, 0xC3}},
    {"wide constant", 7, {0x48, 0xB8, 7, 0, 0, 0, 0, 0, 0, 0, 0xC3}},
    {"jump", 0, {0xE9, 3, 0, 0, 0, 0xCC, 0xCC, 0xCC, 0x48, 0x8D, 0x04, 0x7F, 0xC3}},
    {"condition, taken", 7, {0x48, 0x85, 0xFF, 0x75, 5, 0x31, 0xC0, 0xC3, 0xCC, 0xCC, 0xB8, 7, 0, 0, 0, 0xC3}},
    {"condition, passed", 0, {0x48, 0x85, 0xFF, 0x74, 5, 0x48, 0x8D, 0x04, 0x7F, 0xC3, 0x31, 0xC0, 0xC3}},
    {"call", 0, {0xE8, 3, 0, 0, 0, 0xC3, 0xCC, 0xCC, 0x48, 0x8D, 0x04, 0x7F, 0xC3}},
    {"memory near it", 7, {0x48, 0x8B, 0x05, 1, 0, 0, 0, 0xC3, 7, 0, 0, 0, 0, 0, 0, 0}},
    {"store and compare", 0, {0x48, 0x89, 0x7C, 0x24, 0xF8, 0x48, 0x8D, 0x04, 0x7F, 0xC3}},
    {"fast vector", 0, {0x66, 0x0F, 0xEF, 0xC0, 0x55, 0x5D, 0x48, 0x8D, 0x04, 0x7F, 0xC3}},
    {"of the thread", 0, {0x64, 0x48, 0x8B, 0x04, 0x25, 0x28, 0, 0, 0, 0x48, 0x8D, 0x04, 0x7F, 0xC3}},
};

/* What is not understood: an instruction that is not known, one that ends the function, and what is not aligned. */
static const struct {
    const char *what;
    size_t at;
    unsigned char code[16];
} refused[] = {
    {"unknown", 0, {0xC5, 0xF8, 0x77, 0x48, 0x8D, 0x04, 0x7F, 0xC3}},
    {"short", 0, {0x31, 0xC0, 0xC3, 0xCC, 0xCC, 0xCC}},
    {"short jump", 0, {0xEB, 0x02, 0xCC, 0xCC, 0x48, 0x8D, 0x04, 0x7F, 0xC3}},
    {"not aligned", 4, {0x55, 0x48, 0x89, 0xE5, 0x41, 0x57}},
};

static unsigned char *code_page(void)
{
    unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(page != MAP_FAILED);
    return page;
}

static void originals_go_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(beginnings); i++) {
        unsigned char *page = code_page();
        void *original = NULL;
        memcpy(page, beginnings[i].code, sizeof beginnings[i].code);
        const long expected = beginnings[i].returns_7 ? 7 : 3 * 14;
        assert_int_equal(((function)(void *)page)(14), expected);
        assert_false(patch_is_done(page, (const void *)of_ours));
        const struct patch patch = {.entry = page, .to = (const void *)of_ours, .original = &original};
        if (!patch_all(&patch, 1))
            fail_msg("%s was refused", beginnings[i].what);
        assert_true(patch_is_done(page, (const void *)of_ours));
        assert_false(patch_is_done(page, (const void *)code_page));
        assert_int_equal(((function)(void *)page)(14), 14 + 1000000);
        if (((function)original)(14) != expected)
            fail_msg("%s: the original returns %ld", beginnings[i].what, ((function)original)(14));
        munmap(page, 4096);
    }
}

static void replaced_functions_have_no_original(void **state)
{
    (void)state;
    unsigned char *page = code_page();
    memcpy(page, refused[0].code, sizeof refused[0].code);
    assert_true(patch_all(&(struct patch){.entry = page, .to = (const void *)of_ours}, 1));
    assert_int_equal(((function)(void *)page)(1), 1000001);
    munmap(page, 4096);
}

/* Not even the functions that could be. */
static void all_or_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(refused); i++) {
        unsigned char *page = code_page(), *other = page + 64 + refused[i].at, before[4096];
        void *first = NULL, *second = NULL;
        memcpy(page, beginnings[0].code, sizeof beginnings[0].code);
        memcpy(other, refused[i].code, sizeof refused[i].code);
        memcpy(before, page, sizeof before);
        const struct patch patches[] = {{.entry = page, .to = (const void *)of_ours, .original = &first},
                                        {.entry = other, .to = (const void *)of_ours, .original = &second}};
        if (patch_all(patches, RL_COUNT(patches)))
            fail_msg("%s was taken", refused[i].what);
        assert_memory_equal(page, before, sizeof before);
        munmap(page, 4096);
    }
}

/* ---- callbacks of the program that call CUDA, which has a callback of its own ---- */

static CUptiResult CUPTIAPI switched(uint32_t on, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    (void)on, (void)handle, (void)domain, (void)id;
    return CUPTI_SUCCESS;
}

static void CUPTIAPI calls_on(void *depth, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    if ((*(unsigned *)depth)++ == 0)
        callbacks_tell_guest(domain, id, data);
    assert_true(callbacks_are_telling());
}

static void nested_callbacks(void **state)
{
    (void)state;
    const CUpti_CallbackDomain domain = CUPTI_CB_DOMAIN_DRIVER_API;
    CUpti_SubscriberHandle handle = NULL;
    unsigned depth = 0;
    rl_cupti.cuptiEnableCallback = switched;
    assert_int_equal(callbacks_subscribe(&handle, calls_on, &depth), CUPTI_SUCCESS);
    assert_int_equal(callbacks_switch(1, handle, domain, 7), CUPTI_SUCCESS);
    callbacks_tell_guest(domain, 7, NULL);
    assert_int_equal(depth, 2);
    assert_false(callbacks_are_telling());
    assert_int_equal(callbacks_unsubscribe(handle), CUPTI_SUCCESS);
}

/* ---- the CUPTI that is installed ---- */

/* Calls that only return an error, whether there is a GPU or not. */
static void results_of(CUptiResult results[16])
{
    static const CUpti_SubscriberHandle none = NULL;
    void *symbol = rl_cupti_symbol("cuptiActivityGetAttribute");
    CUptiResult (*get)(CUpti_ActivityAttribute, size_t *, void *) = NULL;
    memcpy(&get, &symbol, sizeof get);
    size_t i = 0;
    results[i++] = rl_cupti.cuptiActivityEnable((CUpti_ActivityKind)-1);
    results[i++] = rl_cupti.cuptiActivityDisable((CUpti_ActivityKind)-1);
    results[i++] = rl_cupti.cuptiActivityRegisterCallbacks(NULL, NULL);
    results[i++] = rl_cupti.cuptiActivityFlushAll(0);
    results[i++] = rl_cupti.cuptiActivityGetNumDroppedRecords(NULL, 0, NULL);
    results[i++] = rl_cupti.cuptiActivitySetAttribute((CUpti_ActivityAttribute)-1, NULL, NULL);
    results[i++] = rl_cupti.cuptiSubscribe(NULL, NULL, NULL);
    results[i++] = rl_cupti.cuptiUnsubscribe(none);
    results[i++] = rl_cupti.cuptiEnableCallback(1, none, CUPTI_CB_DOMAIN_INVALID, 0);
    results[i++] = get ? get((CUpti_ActivityAttribute)-1, NULL, NULL) : CUPTI_SUCCESS;
    while (i < 16)
        results[i++] = CUPTI_SUCCESS;
}

static void calls_of_ours_reach_cupti(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    CUptiResult before[16], after[16];
    const char *path = NULL;
    if (rl_cupti_open(&path, &err) != RL_OK) {
        print_message("SKIPPED: %s\n", err.text);
        return;
    }
    void *enable = rl_cupti_symbol("cuptiActivityEnable");
    unsigned char first;
    results_of(before);
    memcpy(&first, enable, 1);
    assert_int_not_equal(first, 0xE9);
    assert_true(shims_start());
    memcpy(&first, enable, 1);
    assert_int_equal(first, 0xE9);
    assert_ptr_not_equal((void *)rl_cupti.cuptiActivityEnable, enable);
    results_of(after);
    assert_memory_equal(before, after, sizeof before);
    assert_non_null(dlsym(RTLD_DEFAULT, "dlsym")); /* who looks for a symbol finds it as before */
    assert_ptr_equal(dlsym(RTLD_DEFAULT, "strlen"), dlsym(RTLD_NEXT, "strlen"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(originals_go_on),
        cmocka_unit_test(replaced_functions_have_no_original),
        cmocka_unit_test(all_or_none),
        cmocka_unit_test(nested_callbacks),
        cmocka_unit_test(calls_of_ours_reach_cupti),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

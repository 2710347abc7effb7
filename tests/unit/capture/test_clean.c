/* What each of the rules for texts lets pass: the last that stays, the first that goes. */
#include "rl_test.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/mem.h"
#include "redact.h"

struct row {
    const char *text;
    bool stays;
};

static void assert_stay(bool (*rule)(const struct rl_private_names *, const char *), const struct row *rows, size_t count)
{
    struct rl_arena arena = RL_ARENA_INIT;
    struct rl_private_names names = {.arena = &arena};
    rl_private_names_learn(&names, "/home/bob/x");
    rl_private_names_host(&names, "warp");
    rl_private_names_host(&names, "gpu-node17.corp");
    rl_private_names_host(&names, "n1.memory.acme.org");
    rl_private_names_host(&names, "alice-gpu_workbench-a7b.initech");
    rl_private_names_learn(&names, "/global/homes/d/dora/x");
    rl_private_names_uuid(&names, "GPU-29d1a9ef-894d-2f2a-f2a4-b2f0a0adcc6e");
    rl_private_names_sort(&names);
    for (size_t i = 0; i < count; i++)
        if (rule(&names, rows[i].text) != rows[i].stays)
            fail_msg("'%s' %s", rows[i].text, rows[i].stays ? "goes" : "stays");
    free(names.all);
    rl_arena_release(&arena);
}

static void products(void **state)
{
    static const struct row rows[] = {
        {"NVIDIA GB300 80GB", true},
        {"H200 A100-SXM4-40GB", true},
        {"ABCD1 A1234 A1BC 1", true},
        {"H100-PCIE-80GB", true},
        {"ABCDE1", false},
        {"A12345", false},
        {"A1BCD", false},
        {"A1b", false},
        {"ABCD-1", false},
        {"A100-", false},
        {"-A100", false},
        {"Bob", false},
    };
    (void)state;
    assert_stay(rl_is_public_product, rows, RL_COUNT(rows));
}

static void declarations(void **state)
{
    static const struct row rows[] = {
        {"f123456789", true},
        {"f1234567890", false},
        {"abcdefabcdefa123", false}, /* 16 hexadecimal digits */
        {"abcdefabcdef123", true}, /* 15 */
        {"1_2_abcdefabcdefabcdef", false},
        {"f<0x1f, 3ul, 123_456_789a>", true},
        {"f<123_456_789_a>", false},
        {"f<10, 1, 2, 3>(float [4])", true}, /* numbers stand between brackets */
        {"f(10, 1, 2, 3)", false},
        {"k 10 1 2 3", false},
        {"operator<(10)", false},
        {"operator<< 3", false},
        {"S::operator+=(int)", true},
        {"my_operator<3>(int)", true},
        {"operator/home", false},
        {"f<&S::operator-> >(int) 3", false},
        {"k_10_1_2_3", false}, /* addresses */
        {"k_255_1_2_3_f", false},
        {"k_256_1_2_3", true},
        {"k_0_1_2_3", true},
        {"k_10_1_2_3_4", true},
        {"k_10_1_2", true},
        {"k_10_1_2_3x4", true},
        {"k_0a_1B_2c_3d_4e_5f", false},
        {"k_0a_1B_2c_3d_4e", true},
        {"0a_1B_2c_3d_4e_5f", false},
        {"f0a_1B_2c_3d_4e_5f", true},
        {"k_0a_1B_2c_3d_4e_5f6 k_0a_1B_2g_3d_4e_5f", true},
        {"k_0a_1B_2c3d_4e_5f", true},
        {"k_a_10_1_2_3", false},
        {"k_1_10_1_2_3", true},
        {"k10_1_2_3", false},
        {"k_300_10_1_2_3", false},
        {"k_192_168_255_255", false},
        {"k_192_168_255_259", true},
        {"k_1__2__3__4", false},
        {"k_10__1_2__3", true},
        {"k_010_001_002_003", false},
        {"k_000_1_2_3", true},
        {"k_2001_0db8_85a3_0_0_8a2e_370_7334", false},
        {"k_2001_0db8_85a3_0_0_8a2e_370", true},
        {"k_2001_0db8_85a3_0_0_8a2e_370_7334_1", false},
        {"k_1_2_3_4_5_6_7_8", true},
        {"k_1_2_3_4_5_6_7_8_2001_db8_85a3_0_0_8a2e_370_7334", false}, /* behind eight that are none */
        {"k_fe80__1ff_fe23_4567_890a", false}, /* shortened */
        {"k_2001_db8__5", false},
        {"fd00$$a", false},
        {"k_2001_db8_5", true},
        {"k_2001__8__a", true},
        {"k_2001__16", true},
        {"k_fade__1", true},
        {"kfe80__1ff", true},
        {"k_fe80__1ffab", true},
        {"k_10$1$2$3", false},
        {"gemm_bf16_bf16_f32_f16_128_256_64", true},
        {"attention_f16_128_128_64", true}, /* a type and three numbers */
        {"attention_BF16_64_64_128_causal", true},
        {"int8_64_64_32", true},
        {"attention_s16_10_1_2_3_s16_10_1_2_3", true}, /* five numbers each */
        {"attention_f16_10_1_2_3_f16_10_1_2_3", false}, /* eight groups */
        {"attention_s16_128_128_64_10_1_2_3", true},
        {"attention_f15_128_128_64", false}, /* no width of a type, no type, or not joined by '_' */
        {"attention_f160_128_128_64", false},
        {"attention_f128_128_128_64", false},
        {"attention_lf16_128_128_64", false},
        {"attention1f16_128_128_64", false},
        {"attention_16_128_128_64", false},
        {"attention_f_16_128_128_64", false},
        {"attention_f16_128_128_64, 10_1_2_3", false},
        {"f16__128__128__64", true},
        {"sm90_16_1_1", false},
        {"runAKIAIOSFODNN7EXAMPLE", false}, /* credentials, at a boundary of a word, too */
        {"run7ghp_abcdefghijklmnopqrstuvwxyz0123456789", false},
        {"_GLOBAL__N__0a1b2c3d_9_secret_cu_5e6f7a8b::k(int)", false}, /* names of files in symbols of internal linkage */
        {"_INTERNAL_0a1b2c3d_9_secret_cu_5e6f7a8b_12::k", false},
        {"__nv_static_42__0a1b2c3d_9_secret_cu_5e6f7a8b_k", false},
        {"_GLOBAL__sub_I_secret.cu", false},
        {"tmpxft_000012ab_00000000_6_secret_cudafe1_cpp", false},
        {"secret_cu_5e6f7a8b_k", false},
        {"secret_cpp_5e6f7a8b", false},
        {"k_cu_5e6f7a8", true},
        {"my_secret_cu", true},
        {"(anonymous namespace)::k", true},
        {"abcd::ef1", false}, /* an address */
        {"abcd::efab", true},
        {"abcd::ef1::kernel", true},
        {"abcd1::abcde", true}, /* five digits are no group */
        {"1a::kernel", false},
        {"kernel.12.clone.cold", true},
        {"kernel.other", false},
        {"kernel.1234567890", false},
        {"1.5", false},
        {"kernel.", true},
        {"~f<-1> != {lambda()#1}", true},
        {"f(bob, warp<2>)", false},
        {"bob_kernel<warpSize>(int)", false}, /* a name that is known, at every boundary of a word */
        {"run::Bob", false},
        {"runBob2", false},
        {"GPUBob", false},
        {"x3BOB", false},
        {"bobsled", true},
        {"kabob", true},
        {"run_gpu_node17_k", false}, /* a long name that is known, anywhere, and whatever parts it */
        {"xgpuNode170", false},
        {"gpu-node17", false},
        {"gpu::node17::k", false},
        {"gpu$node_17", false},
        {"acme::run", false}, /* a part of a known host's name that is no word of the vocabulary, nor the last */
        {"memory_org", true},
        {"alice_run", false}, /* what makes up a host's name, but for words of the vocabulary and what has few letters */
        {"runWorkbench", false},
        {"kernel_a7b", true},
        {"gpu_run", true},
        {"initech_run", false}, /* a domain that is not one of many */
        {"corp_run", true},
        {"n1_run", false},
        {"an1_run", true},
        {"dora_run", false},
        {"d_run", true},
        {"k_29d1a9ef_894d_2f2a_f2a4_b2f0a0adcc6e", false}, /* a GPU's identifier, or how it begins */
        {"k29d1A9ef", false},
        {"k_894d_2f2a", true},
        {"runBobsled", true},
        {"x::operator/(int)", true},
        {"operator// a", false},
        {"a/b", false},
        {"C:/my dir/x.cu f", false},
        {"a '/my dir/x y' f", false},
        {"/x\\y z\\w f", false},
        {"/ f", false},
    };
    (void)state;
    assert_stay(rl_is_public_kernel, rows, RL_COUNT(rows));
}

static void words(void **state)
{
    static const struct row rows[] = {
        {"memory of bob", false},
        {"memory of Warp", false},
        {"memory of warps", true},
        {"/a memory/kernel memory", false}, /* a path */
        {"C:/a memory/kernel", false},
        {"C:\\a memory/kernel", false},
        {"~a memory/kernel", false},
        {"$A memory/kernel", false},
        {"'memory of' (memory; memory)", true},
        {"'memory xyzzy'", false},
        {"\"xyzzy", false},
        {"memory 10, 1, 2, 3", false}, /* addresses */
        {"memory 10 1 2 3, memory", false},
        {"memory 10,1,2,3;", false},
        {"memory 10;1;2;3", false},
        {"memory 10:1:2:3", false},
        {"memory 10 . 1 . 2 . 3", false},
        {"memory 5, 10.1.2.3", false}, /* with one sign between all four */
        {"memory 1.5, 3.2, 4.5", true},
        {"memory_10_1_2_3", false},
        {"memory f16, 128, 128", true},
        {"memory f16, 128, 128, 64", true}, /* a type and three numbers */
        {"memory 10, 1, 2, 256", true},
        {"memory 10, 1, 2, 3, 4", true},
        {"memory 0, 1, 2, 3", true},
        {"memory [10, 1, 2, 3] memory", true}, /* a shape */
        {"memory [10, 1, 2, 3", false},
        {"memory 10, 1, 2 x 3", true},
        {"memory token=memory", false}, /* the value of a credential may be any word */
        {"xyzzy memory", false},
    };
    (void)state;
    assert_stay(rl_is_public_text, rows, RL_COUNT(rows));
}

static void harmless_words(void **state)
{
    static const struct {
        const char *word;
        bool harmless;
    } rows[] = {
        {"memory/123456", true},
        {"memory/1234567", false},
        {"memory_1", true},
        {"memory=1", true},
        {"memory-1", false},
        {"memory.1", false},
        {"memory/", false},
        {"/memory", false},
        {"memory__of", true},
        {"3-4", true},
        {"3/4", true},
        {"3x4x5", true},
        {"3x4x5x6", false},
        {"3-4-5", false},
        {"1.5e-3", true},
        {"80GB", true},
        {"5%", true},
        {"80GX", false},
        {"xyzzy", false},
        {"memory", true},
        {"12", true},
        {"-5", true},
        {"+1.5GB", true},
        {"memory-80gb", true}, /* a word of the vocabulary with a letter, though not its first */
        {"memory-80gx", false},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (rl_is_harmless(rows[i].word, strlen(rows[i].word)) != rows[i].harmless)
            fail_msg("'%s' is%s harmless", rows[i].word, rows[i].harmless ? " not" : "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(declarations),
        cmocka_unit_test(words),
        cmocka_unit_test(harmless_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

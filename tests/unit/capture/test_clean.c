/* What each of the rules for texts lets pass: the last that stays, the first that goes. */
#include "rl_test.h"

#include <stdbool.h>

#include "core/mem.h"
#include "redact.h"
#include "vocabulary.h"

typedef void (*clean_fn)(struct rl_cleaner *, const char *, struct rl_buf *);

/* '?' for "[name 0123456789ab]". */
static void assert_cleaned(clean_fn clean, const char *text, const char *expected)
{
    static char bob[] = "bob", node[] = "gpunode17", warp[] = "warp";
    static const struct rl_known_name names[] = {{bob, RL_DROP_USER}, {node, RL_DROP_HOST}, {warp, RL_DROP_HOST}};
    struct rl_cleaner cleaner = {.key = "k"};
    struct rl_buf out = RL_BUF_INIT, plain = RL_BUF_INIT;
    rl_cleaner_know(&cleaner, names, RL_COUNT(names));
    clean(&cleaner, text, &out);
    for (const char *at = out.data; *at; at++) {
        const bool name = strncmp(at, "[name ", 6) == 0;
        rl_buf_addch(&plain, name ? '?' : *at);
        at += name ? strcspn(at, "]") : 0;
    }
    if (strcmp(plain.data, expected) != 0)
        fail_msg("'%s' became '%s', not '%s'", text, plain.data, expected);
    rl_buf_release(&plain);
    rl_buf_release(&out);
}

static void products(void **state)
{
    static const char *const rows[][2] = {
        {"NVIDIA GB300 80GB", "NVIDIA GB300 80GB"},
        {"H200 A100-SXM4-40GB", "H200 A100-SXM4-40GB"},
        {"ABCD1 A1234 A1BC 1", "ABCD1 A1234 A1BC 1"},
        {"H100-PCIE-80GB", "H100-PCIE-80GB"},
        {"ABCDE1", "?"},
        {"A12345", "?"},
        {"A1BCD", "?"},
        {"A1b", "?"},
        {"ABCD-1", "?"},
        {"A100-", "?"},
        {"-A100", "?"},
        {"Bob", "?"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_cleaned(rl_clean_product, rows[i][0], rows[i][1]);
}

static void declarations(void **state)
{
    static const char *const rows[][2] = {
        {"f123456789", "f123456789"},             /* nine digits */
        {"f1234567890", "?"},                     /* ten */
        {"abcdefabcdefabc1", "abcdefabcdefabc1"}, /* 16 hexadecimal digits, but for three numbers among letters */
        {"abcdefabcdefab12", "abcdefabcdefab12"},
        {"k_abcdefabcdefab12", "k_abcdefabcdefab12"},
        {"abcdefabcdefa123", "?"},
        {"abcdefabcdef123", "abcdefabcdef123"}, /* 15 */
        {"1_2_abcdefabcdefabcdef", "?"},        /* begins with a digit: not more than 12 */
        {"f<0x1f, 3ul, 123_456_789a>", "f<0x1f, 3ul, 123_456_789a>"},
        {"f<123_456_789_a>", "f<?>"},
        {"f<10, 1, 2, 3>(float [4])", "f<10, 1, 2, 3>(float [4])"}, /* numbers stand between brackets */
        {"f(10, 1, 2, 3)", "f(?, ?, ?, ?)"},
        {"k 10 1 2 3", "k ? ? ? ?"},
        {"operator<(10), operator<< 3", "operator<(?), operator<< ?"},
        {"f<&S::operator-> >(int) 3", "f<&?> >(int) ?"},
        {"k_10_1_2_3", "?"}, /* addresses */
        {"k_255_1_2_3_f", "?"},
        {"k_256_1_2_3", "k_256_1_2_3"},
        {"k_0_1_2_3", "k_0_1_2_3"},
        {"k_10_1_2_3_4", "k_10_1_2_3_4"},
        {"k_10_1_2", "k_10_1_2"},
        {"k_10_1_2_3x4", "k_10_1_2_3x4"},
        {"k_0a_1B_2c_3d_4e_5f", "?"},
        {"k_0a_1B_2c_3d_4e", "k_0a_1B_2c_3d_4e"},
        {"0a_1B_2c_3d_4e_5f f0a_1B_2c_3d_4e_5f", "? f0a_1B_2c_3d_4e_5f"},
        {"k_0a_1B_2c_3d_4e_5f6 k_0a_1B_2g_3d_4e_5f", "k_0a_1B_2c_3d_4e_5f6 k_0a_1B_2g_3d_4e_5f"},
        {"k_0a_1B_2c3d_4e_5f", "k_0a_1B_2c3d_4e_5f"},
        {"k_a_10_1_2_3 k_1_10_1_2_3 k10_1_2_3 k_300_10_1_2_3", "? k_1_10_1_2_3 ? ?"},
        {"k_192_168_255_255 k_192_168_255_259 k_1__2__3__4", "? k_192_168_255_259 k_1__2__3__4"},
        {"_GLOBAL__N__0a1b2c3d_9_secret_cu_5e6f7a8b::k(int)", "?(int)"}, /* names of files in symbols of internal linkage */
        {"_INTERNAL_0a1b2c3d_9_secret_cu_5e6f7a8b_12::k", "?"},
        {"__nv_static_42__0a1b2c3d_9_secret_cu_5e6f7a8b_k", "?"},
        {"_GLOBAL__sub_I_secret.cu", "?"},
        {"tmpxft_000012ab_00000000_6_secret_cudafe1_cpp", "?"},
        {"secret_cu_5e6f7a8b_k", "?"},
        {"secret_cpp_5e6f7a8b", "?"},
        {"k_cu_5e6f7a8", "k_cu_5e6f7a8"},
        {"my_secret_cu", "my_secret_cu"},
        {"(anonymous namespace)::k", "(anonymous namespace)::k"},
        {"abcd::ef1", "?"}, /* an address */
        {"abcd::efab", "abcd::efab"},
        {"abcd::ef1::kernel", "abcd::ef1::kernel"},
        {"abcd1::abcde", "abcd1::abcde"}, /* five digits are no group */
        {"1a::kernel", "?"},
        {"kernel.12.clone.cold", "kernel.12.clone.cold"},
        {"kernel.other", "?"},
        {"kernel.1234567890", "?"},
        {"1.5", "?"},
        {"kernel.", "kernel."},
        {"~f<-1> != {lambda()#1}", "~f<-1> != {lambda()#1}"},
        {"f(bob, warp<2>)", "f(?, ?<2>)"},
        {"bob_kernel<warpSize>(int)", "?<?>(int)"}, /* a name that is known, at every boundary of a word */
        {"acme::run_Bob", "?"},
        {"runBob2", "?"},
        {"GPUBob", "?"},
        {"x3BOB", "?"},
        {"bobsled", "bobsled"},
        {"kabob", "kabob"},
        {"run_gpu_node17_k", "?"}, /* a long name that is known, anywhere, and whatever parts it */
        {"xgpuNode170", "?"},
        {"gpu-node17", "?"},
        {"runBobsled", "runBobsled"},
        {"x::operator/(int)", "x::operator/(int)"},
        {"operator// a/b", "? ?"},
        {"C:/my dir/x.cu f", "? f"},
        {"a '/my dir/x y' f", "a '?' f"},
        {"/x\\y z\\w f", "? f"},
        {"/ f", "? f"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_cleaned(rl_clean_kernel, rows[i][0], rows[i][1]);
}

static void words(void **state)
{
    static const char *const rows[][2] = {
        {"memory of bob, Warp", "memory of [user], [host]"},
        {"/a memory/kernel memory", "[path] memory"}, /* a path goes on behind a blank while there are slashes */
        {"C:/a memory/kernel", "[path]"},
        {"C:\\a memory/kernel", "[path]"},
        {"~a memory/kernel", "[redacted] [path]"},
        {"$A memory/kernel", "[redacted] [path]"},
        {"'memory of' 'memory xyzzy' \"xyzzy", "'memory of' '[redacted]' \"[redacted]"},
        {"memory 10, 1, 2, 3", "memory [redacted]"}, /* addresses */
        {"memory 10 1 2 3, memory 10,1,2,3;", "memory [redacted], memory [redacted];"},
        {"memory_10_1_2_3", "[redacted]"},
        {"memory 10, 1, 2, 256", "memory 10, 1, 2, 256"},
        {"memory 10, 1, 2, 3, 4", "memory 10, 1, 2, 3, 4"},
        {"memory 0, 1, 2, 3", "memory 0, 1, 2, 3"},
        {"memory [10, 1, 2, 3] memory", "memory [10, 1, 2, 3] memory"}, /* a shape */
        {"memory [10, 1, 2, 3", "memory [[redacted]"},
        {"memory 10, 1, 2 x 3", "memory 10, 1, 2 x 3"},
        {"xyzzy xyzzy xyzzy memory", "[redacted] memory"}, /* one sign for several */
        {"[path] [kernel 0123456789ab] [kernel 0123456789abc]", "[path] [kernel 0123456789ab] [kernel [redacted]]"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_cleaned(rl_redact_words, rows[i][0], rows[i][1]);
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

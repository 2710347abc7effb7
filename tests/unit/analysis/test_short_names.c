/* The short form of kernel names of every origin. */
#include "analysis/analysis.h"
#include "core/mem.h"
#include "rl_test.h"

static void assert_short(const char *name, const char *expected)
{
    struct rl_buf out = RL_BUF_INIT;

    rl_kernel_short_name(name, &out);
    if (strcmp(out.data, expected) != 0)
        fail_msg("'%s' became '%s', expected '%s'", name, out.data, expected);
    rl_buf_release(&out);
}

static void cpp_names(void **state)
{
    static const char *const known[][2] = {
        {"void stride_kernel<float, 4>(float*, int, long)", "stride_kernel"},
        {"stride_kernel(float*, int, long)", "stride_kernel"},
        {"stride_k(float *, int, long)", "stride_k"},
        {"stride_kernel<float>", "stride_kernel"},
        {"kernel()", "kernel"},
        {"unsigned long long* ns::f(int)", "ns::f"},
        {"void A<1>::B<2>::c<3>(int)", "A::B::c"},
        {"auto f(int) -> decltype(x)", "f"},
        {"decltype(auto) f<int>(int)", "f"},
        {"void k<(x > 3), &(A::operator->)>(int)", "k"},
        {"void k<(E)(a<b)>(int)", "k"},
        {"void k<std::array<char*, 3ul> >(int)", "k"},
        {"foo(int) [clone .kd]", "foo"},
        {"void foo(float) const", "foo"},
        {"void cutlass::Kernel2<cutlass_80_wmma_tensorop_f16>(T1::Params)", "cutlass::Kernel2"},
    };
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++)
        assert_short(known[i][0], known[i][1]);
}

static void anonymous_parts_and_lambdas(void **state)
{
    static const char *const known[][2] = {
        {"(anonymous namespace)::k(int)", "(anonymous namespace)::k"},
        {"void at::native::(anonymous namespace)::foo<at::F<float> >(int)", "at::native::(anonymous namespace)::foo"},
        {"void at::<unnamed>::vectorized<(int)4, (bool)1>(int)", "at::<unnamed>::vectorized"},
        {"void <unnamed>::softmax_warp_forward<float>(float*)", "<unnamed>::softmax_warp_forward"},
        {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"},
        {"foo(int)::{lambda()#1}::operator()() const", "foo::{lambda()#1}::operator()"},
        {"ns::(lambda at foo.cu:3:4)::operator()(int) const", "ns::(lambda at foo.cu:3:4)::operator()"},
        {"void thrust::for_each<foo(int)::{lambda(int)#1}>(x)", "thrust::for_each"},
        {"void run<__nv_dl_wrapper_t<__nv_dl_tag<int (*)(), &foo, 1u> > >(__nv_dl_wrapper_t<x>)", "run"},
    };
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++)
        assert_short(known[i][0], known[i][1]);
}

static void operators(void **state)
{
    static const char *const known[][2] = {
        {"bool operator< <int>(A const&, B const&)", "operator<"},
        {"A& A::operator<<(int)", "A::operator<<"},
        {"A::operator->() const", "A::operator->"},
        {"A::operator float*() const", "A::operator float*"},
        {"operator new[](unsigned long)", "operator new[]"},
        {"std::vector<int>::operator[](unsigned long)", "std::vector::operator[]"},
        {"void F::operator()<int>(int)", "F::operator()"},
        {"void my_operator(int)", "my_operator"},
        {"void operators::plus(int)", "operators::plus"},
    };
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++)
        assert_short(known[i][0], known[i][1]);
}

static void names_that_are_no_cpp(void **state)
{
    static const char *const known[][2] = {
        {"", ""},
        {"_Z13stride_kernelPfil", "_Z13stride_kernelPfil"},
        {"triton_poi_fused_add_0d1d2", "triton_poi_fused_add_0d1d2"},
        {"nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopB_NNT", "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopB_NNT"},
        {"julia_kernel!_1234(CuDeviceArray{Float32, 1, 1})", "julia_kernel!_1234"},
        {"gpu_kernel_(CompilerMetadata<DynamicSize, Nothing>, Array<Float32, 1>)", "gpu_kernel_"},
        {"julia_\xce\xb1_kernel(Float32)", "julia_\xce\xb1_kernel"},
        {"[CUDA memcpy HtoD]", "[CUDA memcpy HtoD]"},
        {"Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)"},
        {"Memset (Device)", "Memset (Device)"},
        {"a name with blanks", "a name with blanks"},
        {"a<b", "a<b"},
        {"a>b", "a>b"},
        {")))", ")))"},
        {"(((", "((("},
        {"f(", "f("},
        {"f<(>)(int)", "f<(>)(int)"},
        {" ", " "},
        {"operator", "operator"},
        {"operator<", "operator<"},
        {"operator()<", "operator()<"},
        {"<>", "<>"},
        {"\xff\xfe(int)", "\xff\xfe"},
    };
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++)
        assert_short(known[i][0], known[i][1]);
}

/* "f<" + "A<" x depth + ">" x depth + ">(int)" */
static char *nested(size_t depth)
{
    struct rl_buf name = RL_BUF_INIT;

    rl_buf_adds(&name, "void f<");
    for (size_t i = 0; i < depth; i++)
        rl_buf_adds(&name, "A<");
    rl_buf_fill(&name, '>', depth + 1);
    rl_buf_adds(&name, "(int)");
    return rl_buf_detach(&name, NULL);
}

static void long_names(void **state)
{
    char *deep = nested(200), *too_deep = nested(3000);
    struct rl_buf wide = RL_BUF_INIT;
    (void)state;

    assert_short(deep, "f");
    assert_short(too_deep, too_deep); /* deeper than any compiler nests: left as it is */
    rl_buf_adds(&wide, "void f<");
    for (int i = 0; i < 3000; i++)
        rl_buf_adds(&wide, "std::integral_constant<int, 7>, ");
    rl_buf_adds(&wide, "int>(float*)");
    assert_short(wide.data, "f");
    rl_buf_reset(&wide);
    rl_buf_fill(&wide, 'k', 3000);
    assert_short(wide.data, wide.data);
    rl_buf_release(&wide);
    free(deep);
    free(too_deep);
}

/* Whatever comes in, what comes out is made of its bytes, in their order, and it ends. */
static void any_bytes(void **state)
{
    static const char alphabet[] = "ab:<>(){}[] -,*&operator()::<unnamed>";
    uint32_t seed = 12345;
    (void)state;

    for (int round = 0; round < 20000; round++) {
        char name[41];
        struct rl_buf out = RL_BUF_INIT;
        for (size_t i = 0; i < 40; i++) {
            seed = seed * 1664525u + 1013904223u;
            name[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        name[seed % 41] = '\0';
        name[40] = '\0';
        rl_kernel_short_name(name, &out);
        const char *at = name;
        for (size_t i = 0; i < out.len; i++) {
            while (*at && *at != out.data[i])
                at++;
            if (!*at)
                fail_msg("'%s' is no part of '%s'", out.data, name);
            at++;
        }
        assert_int_equal(out.len == 0, name[0] == '\0');
        rl_buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpp_names),  cmocka_unit_test(anonymous_parts_and_lambdas),
        cmocka_unit_test(operators),  cmocka_unit_test(names_that_are_no_cpp),
        cmocka_unit_test(long_names), cmocka_unit_test(any_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

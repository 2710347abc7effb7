/* rl_test.h - cmocka with the headers it wants, in the order it wants them. */
#ifndef RL_TEST_H
#define RL_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* |a - b| <= tolerance * max(|a|, |b|), both finite. */
#define assert_close(a, b, tolerance)                                                                                              \
    do {                                                                                                                           \
        double a_ = (a), b_ = (b);                                                                                                 \
        if (!(fabs(a_ - b_) <= (tolerance)*fmax(fabs(a_), fabs(b_))))                                                              \
            fail_msg("%s = %.17g, %s = %.17g", #a, a_, #b, b_);                                                                    \
    } while (0)

/* What a test needs to look closer is not on this machine: it says so and goes on, or skips. .ci/run, which has installed
 * everything, sets RL_TESTS_NEED_TOOLS: there nothing is left out in silence. */
static inline void rl_test_without(const char *what)
{
    if (getenv("RL_TESTS_NEED_TOOLS"))
        fail_msg("%s is not installed", what);
    print_message("%s is not installed: not looked at\n", what);
}

#endif

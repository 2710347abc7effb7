/* robust.c - median, MAD, Student's t (see analysis/robust.h). */
#include "analysis/robust.h"

#include "core/core.h"

double rl_robust_median(double *values, size_t n)
{
    assert(n > 0);
    rl_sort_doubles(values, n);
    return values[(n - 1) / 2] + (values[n / 2] - values[(n - 1) / 2]) / 2;
}

/* Factors of Croux and Rousseeuw for 2 to 9 values; from 10 on n / (n - 0.8). */
static double small_sample(size_t n)
{
    assert(n > 1); /* one value has no deviation */
    static const double factor[] = {0, 0, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};
    return n < RL_COUNT(factor) ? factor[n] : (double)n / ((double)n - 0.8);
}

double rl_robust_scale(const double *values, size_t n, double centre)
{
    if (n < 2)
        return 0;
    RL_FREED double *away = rl_calloc(n, sizeof *away);
    for (size_t i = 0; i < n; i++)
        away[i] = fabs(values[i] - centre);
    double mad = rl_robust_median(away, n);
    return 1.4826 * small_sample(n) * mad;
}

double rl_robust_freedom(size_t n)
{
    return n < 2 ? 0 : 0.37 * (double)(n - 1);
}

double rl_robust_moderated(double scale, double freedom, double prior, double prior_freedom)
{
    assert(freedom + prior_freedom > 0);
    return sqrt((freedom * scale * scale + prior_freedom * prior * prior) / (freedom + prior_freedom));
}

/* Continued fraction of the incomplete beta function by Lentz's method (Abramowitz and Stegun 26.5.8). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double h = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        h *= d * c;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-12)
            break;
    }
    return h;
}

/* P(|T| > t). */
static double t_two_sided(double t, double freedom)
{
    /* Regularised incomplete beta function I_x(a, b). */
    double a = freedom / 2;
    double x = freedom / (freedom + t * t);
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + 0.5) - lgamma(a) - lgamma(0.5) + a * log(x) + 0.5 * log1p(-x));
    return x < (a + 1) / (a + 0.5 + 2) ? front * beta_fraction(a, 0.5, x) / a : 1 - front * beta_fraction(0.5, a, 1 - x) / 0.5;
}

double rl_robust_limit(double alpha, double looks, double freedom)
{
    assert(alpha > 0 && alpha < 1 && looks >= 1 && freedom > 0);
    double p = alpha / looks, low = 0, high = 1;
    while (t_two_sided(high, freedom) > p && high < 1e9)
        high *= 2;
    while (high - low > 1e-7 * high) {
        double middle = (low + high) / 2;
        if (t_two_sided(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double rl_robust_digamma(double x)
{
    double sum = 0;
    assert(x > 0);
    for (; x < 10; x++) /* psi(x) = psi(x + 1) - 1 / x, up to where the asymptotic series is good */
        sum -= 1 / x;
    const double y = 1 / (x * x);
    return sum + log(x) - 1 / (2 * x) - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240)));
}

double rl_robust_trigamma(double x)
{
    double sum = 0;
    assert(x > 0);
    for (; x < 10; x++)
        sum += 1 / (x * x);
    const double y = 1 / (x * x);
    return sum + (1 + 1 / (2 * x) + y * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y / 30)))) / x;
}

double rl_robust_trigamma_inverse(double value)
{
    double low = 1e-8, high = 1e8; /* it falls steadily: halve the interval of ln x */
    assert(value > 0);
    while (high / low > 1 + 1e-10) {
        const double middle = sqrt(low * high);
        if (rl_robust_trigamma(middle) > value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double rl_robust_two_sided(double z)
{
    return erfc(fabs(z) / sqrt(2));
}

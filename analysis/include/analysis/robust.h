/* robust.h - outliers among many similar values: robust scale, and the limit that chance exceeds with a given probability.
 *
 * A value is judged by (x - median) / scale, the scale being the median absolute deviation (MAD) times 1.4826, so that it estimates
 * the standard deviation of a normal distribution and up to half of the values may be wild without moving it (Iglewicz and
 * Hoaglin, How to Detect and Handle Outliers, ASQC 1993, the "modified z-score"; Rousseeuw and Croux, Alternatives to the Median
 * Absolute Deviation, JASA 88, 1993).
 */
#pragma once

#include <stddef.h>

/* Median of `n` >= 1 values; sorts them. */
double rl_robust_median(double *values, size_t n);

/* 1.4826 * MAD about `centre`, times the factor that makes it unbiased for few normal values (Croux and Rousseeuw, Time-efficient
 * algorithms for two highly robust estimators of scale, COMPSTAT 1992). 0 for fewer than 2 values, and when more than half are
 * equal. The values are not changed. */
double rl_robust_scale(const double *values, size_t n, double centre);

/* Degrees of freedom of that scale: those of the standard deviation of 37 % as many values (its efficiency at the normal
 * distribution, Rousseeuw and Croux 1993). */
double rl_robust_freedom(size_t n);

/* A scale of few values, moderated by the typical scale of its kind: the mean of both squares, weighted with their degrees of
 * freedom (Smyth, Linear models and empirical Bayes methods, Stat. Appl. Genet. Mol. Biol. 3, 2004, "moderated" variance). With
 * `freedom` much greater than `prior_freedom` it is `scale`. */
double rl_robust_moderated(double scale, double freedom, double prior, double prior_freedom);

/* The z with P(|T| > z) = alpha / looks for Student's t with `freedom` degrees: over `looks` tests (Bonferroni) the probability
 * that any exceeds it by chance is at most `alpha`. 0 < alpha < 1, looks >= 1, freedom > 0; relative error under 1e-6.
 */
double rl_robust_limit(double alpha, double looks, double freedom);

/* First derivative of the logarithm of the gamma function; relative error under 1e-8, for x > 0. */
double rl_robust_digamma(double x);
/* Its second derivative, with the same error, for x > 0. */
double rl_robust_trigamma(double x);
/* The x > 0 with rl_robust_trigamma(x) = value > 0, with the same error (Smyth 2004, appendix). */
double rl_robust_trigamma_inverse(double value);

/* P(|Z| > z) of the normal distribution. */
double rl_robust_two_sided(double z);

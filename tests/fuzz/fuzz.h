/* fuzz.h - what a fuzzer defines and uses. */
#ifndef RL_FUZZ_H
#define RL_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Tries one input; returns 0. Called by libFuzzer, or by replay.c for every seed. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libFuzzer: makes another input of the one at `data`, at most `max` bytes, and returns its length. A fuzzer may bring its own and
 * call libFuzzer's for the work. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* A property that must hold for every input. */
#define REQUIRE(condition)                                                                                                         \
    do {                                                                                                                           \
        if (!(condition)) {                                                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                                          \
            abort();                                                                                                               \
        }                                                                                                                          \
    } while (0)

#endif

/* main.c - runs the program that the first argument names: torture NAME [NUMBER [NUMBER]]. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "torture.h"

int main(int argc, char **argv)
{
    static const struct program *const tables[] = {programs_ends, programs_processes, programs_limits, programs_gpu,
                                                   programs_select, programs_guests};
    const long a = argc > 2 ? strtol(argv[2], NULL, 10) : 0, b = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0] && argc > 1; t++)
        for (const struct program *at = tables[t]; at->name; at++)
            if (strcmp(argv[1], at->name) == 0) {
                at->run(a, b);
                return 0;
            }
    fprintf(stderr, "no such program\n");
    return 2;
}

/* holder.c - locks clocks as a session does, says so, waits for the end of its input, and sets them free. */
#include <stdio.h>
#include <stdlib.h>

#include "lock.h"

int main(int argc, char **argv)
{
    struct rl_clock_lock lock = RL_CLOCK_LOCK_NONE;
    struct rl_err err = RL_ERR_INIT;
    if (argc != 2 || rl_clock_lock_start(&lock, 0, (int)strtol(argv[1], NULL, 10), &err) != RL_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    printf("locked SM %.0f memory %.0f keeper %d\n", lock.sm_hz, lock.memory_hz, (int)lock.keeper);
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    if (rl_clock_lock_end(&lock, &err) != RL_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}

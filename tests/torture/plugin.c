/* plugin.c - a library that uses CUDA by itself, to be loaded and unloaded. Also an injection of the user's own: it says in a file
 * that the driver has loaded it. */
#include <stdio.h>

#include "torture.h"

#define EXPORTED __attribute__((visibility("default")))

int plugin_run(int count);
int InitializeInjection(void);

EXPORTED int plugin_run(int count)
{
    cuda_start();
    launch_many(count);
    MUST(cuCtxSynchronize);
    return count;
}

EXPORTED int InitializeInjection(void)
{
    FILE *file = fopen("injected", "a");
    if (file) {
        fprintf(file, "injected\n");
        fclose(file);
    }
    return 1;
}

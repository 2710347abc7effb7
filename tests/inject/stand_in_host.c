/* stand_in_host.c - the stand-in of CUPTI's host library. Like the real one it is opened late, and what it rests on is destroyed
 * when the process ends, before what was registered earlier: whoever uses it afterwards crashes. */
#include <stdlib.h>

#include "stand_in.h"

STAND_IN_API int stand_in_host_gone;

static void destroy(void)
{
    stand_in_host_gone = 1;
}

__attribute__((constructor)) static void construct(void)
{
    if (atexit(destroy) != 0)
        abort();
}

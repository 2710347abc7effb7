#include "disassembly.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/collector.h"
#include "core/mem.h"
#include "cupti_api.h"

enum { MOST_FILE = 8 << 20 };

bool rl_source_find(const void *cubin, size_t size, const char *function, uint64_t offset, struct rl_arena *arena,
                    const char **path, uint32_t *line)
{
    assert(cubin && function);
    CUpti_GetSassToSourceCorrelationParams params = {.size = CUpti_GetSassToSourceCorrelationParamsSize,
                                                     .cubin = cubin,
                                                     .functionName = function,
                                                     .cubinSize = size,
                                                     .pcOffset = offset};
    if (!*function || rl_cupti_open(NULL, NULL) != RL_OK || !rl_cupti.cuptiGetSassToSourceCorrelation)
        return false;
    const bool found = rl_cupti.cuptiGetSassToSourceCorrelation(&params) == CUPTI_SUCCESS && params.fileName && *params.fileName &&
                       params.lineNumber;
    if (found) {
        /* Beginning with a slash it is whole; otherwise it is below the folder that the compiler ran in. */
        const bool below = params.dirName && *params.dirName && *params.fileName != '/';
        *path = rl_arena_printf(arena, "%s%s%s", below ? params.dirName : "", below ? "/" : "", params.fileName);
        *line = params.lineNumber;
    }
    free(params.fileName);
    free(params.dirName);
    return found;
}

/* What a program was compiled from may be a pipe or a device by now, which would never end. */
static char *read_all(const char *path, size_t *size)
{
    struct stat stat;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    char *bytes = NULL;
    if (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_size > 0 && stat.st_size <= MOST_FILE) {
        bytes = rl_calloc((size_t)stat.st_size + 1, 1);
        ssize_t got = 0;
        for (*size = 0; *size < (size_t)stat.st_size; *size += (size_t)got)
            if ((got = read(fd, bytes + *size, (size_t)stat.st_size - *size)) <= 0)
                break;
    }
    close(fd);
    return bytes;
}

struct rl_source_text rl_source_read(const char *path, struct rl_arena *arena)
{
    size_t size = 0;
    char *bytes = read_all(path, &size);
    const struct rl_source_text text = rl_source_split(bytes, bytes ? size : 0, arena);
    free(bytes);
    return text;
}

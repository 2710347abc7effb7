/* Any name of a kernel is left alone, or gives the parts of its path, each of which is in it; nothing is written elsewhere. */
#include <string.h>

#include "fuzz.h"
#include "internal.h"

/* Whether each part between "::" stands in the name, one behind the other. */
static bool stands_in(const char *path, const char *name)
{
    while (*path) {
        const char *end = strstr(path, "::");
        const size_t len = end ? (size_t)(end - path) : strlen(path);
        const char *found = memmem(name, strlen(name), path, len);
        if (!found)
            return false;
        name = found + len;
        path += end ? len + 2 : len;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char before[] = "before ";
    struct rl_buf name = RL_BUF_INIT, out = RL_BUF_INIT;
    rl_buf_add(&name, (const char *)data, size);
    rl_buf_addf(&out, "%s", before);
    const bool is_mangled = rl_unmangle(name.data, &out);
    REQUIRE(strncmp(out.data, before, strlen(before)) == 0);
    REQUIRE(is_mangled == (out.len > strlen(before)));
    REQUIRE(!is_mangled || strncmp(name.data, "_Z", 2) == 0);
    REQUIRE(strlen(out.data) == out.len); /* no byte of the input ends it */
    REQUIRE(strchr(name.data, ':') || stands_in(out.data + (is_mangled ? strlen(before) : out.len), name.data));
    rl_buf_release(&name);
    rl_buf_release(&out);
    return 0;
}

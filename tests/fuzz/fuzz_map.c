/* Any bytes are refused in one line that names the place, or are a map whose lines each name two things. */
#include <string.h>

#include "analysis/compare.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_match_map map = {0};
    enum rl_status status = rl_match_map_parse((const char *)data, size, "input", &map, &err);
    REQUIRE(status == RL_OK || status == RL_FORMAT);
    REQUIRE(status == RL_OK || (strncmp(err.text, "'input'", 7) == 0 && !strchr(err.text, '\n')));
    for (size_t i = 0; i < map.count; i++) {
        const struct rl_map_entry *entry = &map.entries[i];
        REQUIRE(*entry->base && *entry->new && !strpbrk(entry->base, "\n") && !strpbrk(entry->new, "\n"));
        REQUIRE(entry->line > (i ? map.entries[i - 1].line : 0));
    }
    rl_match_map_release(&map);
    return 0;
}

/* fleet_place.c - node and rack from the name of a host (see analysis/fleet.h). */
#include <string.h>

#include "analysis/fleet.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Where the digits, or what is none, before `end` begin. */
static size_t skip_back(const char *name, size_t end, bool digits)
{
    while (end > 0 && is_digit(name[end - 1]) == digits)
        end--;
    return end;
}

/* Length of the cabinet in a name such as x1000c0s3b0n1 (cabinet, chassis, slot, board, node); 0: it is none. */
static size_t cabinet(const char *name, size_t len)
{
    static const char letters[] = "xcsbn";
    size_t at = 0, first = 0;
    for (size_t i = 0; i < strlen(letters); i++) {
        if (at >= len || name[at++] != letters[i] || at >= len || !is_digit(name[at]))
            return 0;
        while (at < len && is_digit(name[at]))
            at++;
        first = i == 0 ? at : first;
    }
    return at == len ? first : 0;
}

void rl_fleet_parse_host(const char *host, struct rl_buf *node, struct rl_buf *rack)
{
    size_t len = strcspn(host, ".");
    rl_buf_add(node, host, len);
    size_t rack_len = cabinet(host, len);
    if (rack_len == 0)
        rack_len = skip_back(host, skip_back(host, skip_back(host, len, false), true), false);
    rl_buf_add(rack, host, rack_len);
}

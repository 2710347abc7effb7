/* listing.c - which experiment a listing belongs to (see kernels/listing.h). */
#include "kernels/listing.h"

#include <string.h>

#include "kernels/suite.h"

/* The file is the experiment's, or begins with its name: self_check_tensor. Of two names the longer one counts. */
const char *rl_suite_listing_experiment(const struct rl_suite_listing *listing)
{
    const char *found = NULL;
    for (size_t i = 0; i < rl_suite_count; i++) {
        const char *name = rl_suite[i].name;
        const size_t len = strlen(name);
        const bool is_its = strncmp(listing->file, name, len) == 0 && (listing->file[len] == 0 || listing->file[len] == '_');
        if (is_its && (!found || len > strlen(found)))
            found = name;
    }
    return found;
}

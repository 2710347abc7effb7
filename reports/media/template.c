/* template.c - see templates.h. */
#include "templates.h"

#include "core/core.h"

const struct rl_template *rl_template_called(const char *name)
{
    size_t i = 0;
    while (i < rl_template_count && strcmp(rl_templates[i].name, name) != 0)
        i++;
    assert(i < rl_template_count);
    return &rl_templates[i];
}

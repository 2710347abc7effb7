/* other_tools.c - another tool in the program: by what it sets in the environment, or because it is the program. */
#include "other_tools.h"

#include "collector/collector.h"

static const char *const commands[] = {
#define TOOL_COMMAND(command) command,
#define TOOL_VARIABLE(variable)
#include "other_tools.def"
};

static const char *const of_tools[] = {
#define TOOL_COMMAND(command)
#define TOOL_VARIABLE(variable) variable,
#include "other_tools.def"
};

static const char *first_set(const char *const *variables, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return variables[i];
    }
    return NULL;
}

const char *rl_other_tool_variable(void)
{
    return first_set(of_tools, RL_COUNT(of_tools));
}

bool rl_other_tool(const char *program, struct rl_buf *which)
{
    static const char *const injections[] = {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}; /* once set, by us in children */
    const char *variable = first_set(injections, RL_COUNT(injections));
    if (!variable)
        variable = rl_other_tool_variable();
    if (variable) {
        rl_buf_addf(which, "%s is set already, to '%s'", variable, getenv(variable));
        return true;
    }
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    for (size_t i = 0; i < RL_COUNT(commands); i++)
        if (strcmp(name, commands[i]) == 0) {
            rl_buf_addf(which, "'%s' is one", name);
            return true;
        }
    return false;
}

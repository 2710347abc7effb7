/* other_tools.h - whether another tool is in this process. Private to the collector. */
#ifndef RL_COLLECTOR_OTHER_TOOLS_H
#define RL_COLLECTOR_OTHER_TOOLS_H

/* The variable of other_tools.def that is set, which children inherit; NULL: none. */
const char *rl_other_tool_variable(void);

#endif

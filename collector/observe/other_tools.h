/* other_tools.h - whether another tool is in this process. Private to the collector. */
#pragma once

/* The variable of other_tools.def that is set, which children inherit; NULL: none. */
const char *rl_other_tool_variable(void);

/* chart_form.h - the forms in which the variants of an experiment are drawn. */
#ifndef RL_CORE_CHART_FORM_H
#define RL_CORE_CHART_FORM_H

enum rl_chart_form {
    RL_CHART_FORM_BARS,   /* a bar for each variant */
    RL_CHART_FORM_LINE,   /* a point for each variant over its number on the axis */
    RL_CHART_FORM_STAGES, /* a panel for each group of variants: how many times as fast as the base they are, over the number on the
                           * axis, against the values of a published model */
    RL_CHART_FORM_COUNT
};

/* "bars", "line", "stages": as captures store it. */
const char *rl_chart_form_name(enum rl_chart_form form);

#endif

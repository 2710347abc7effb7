/* place_field.h - the marks of a chart by where they are: there are thousands, and each candidate of a label is near few of them.
 */
#ifndef RL_REPORTS_PLACE_FIELD_H
#define RL_REPORTS_PLACE_FIELD_H

#include "core/groups.h"
#include "place.h"

struct rl_place_field {
    const struct rl_place *place;
    struct rl_groups cells;
    double radius; /* of the largest mark */
};

/* Sorts the marks of `place`, which are borrowed. Free with rl_place_field_release. */
void rl_place_field_make(struct rl_place_field *field, const struct rl_place *place);
/* Frees what it took. */
void rl_place_field_release(struct rl_place_field *field);

/* Whether one of the marks that may touch what lies within the bounds is true of `look`, which is asked until one is. */
bool rl_place_near(const struct rl_place_field *field, struct rl_bounds bounds, bool (*look)(void *context, size_t mark),
                   void *context);
/* The same of those that may touch a line: fewer than within its bounds. */
bool rl_place_near_line(const struct rl_place_field *field, const struct rl_segment *line, bool (*look)(void *context, size_t mark),
                        void *context);

#endif

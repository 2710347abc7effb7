/* raster.h - a drawing as pixels, for programs that take no SVG. Shapes and letters are filled by FreeType's smooth rasteriser. */
#ifndef RL_REPORTS_RASTER_H
#define RL_REPORTS_RASTER_H

#include "core/buf.h"
#include "core/err.h"
#include "drawing.h"
#include "fonts.h"

#define RL_RASTER_SCALE 3.0 /* pixels a point: 216 dpi */

/* Appends the drawing on white as a PNG of `scale` pixels a point. The same drawing and fonts give the same bytes. RL_FAILED when
 * FreeType or libpng says no, and `out` is as it was. */
enum rl_status rl_drawing_png(const struct rl_drawing *drawing, const struct rl_fonts *fonts, double scale, struct rl_buf *out,
                              struct rl_err *err);

#endif

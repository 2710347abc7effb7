/* fonts.c - font files and what is in them (see fonts.h). FreeType answers; libharu tells a missing glyph from a present one
 * unreliably. */
#include "fonts.h"

#include <dirent.h>
#include <sys/stat.h>

#include <ft2build.h>
#include FT_FREETYPE_H

const struct rl_font_row rl_font_rows[RL_FONT_COUNT] = {
#define FONT(id, name, ...) [RL_FONT_##id] = {.package = name, __VA_ARGS__},
#include "fonts.def"
};

/* In which order a face asks the fonts for a character; RL_FONT_COUNT ends the chain. */
enum { CHAIN = 4 };
static const enum rl_font_id chains[RL_FACE_COUNT][CHAIN] = {
    [RL_FACE_REGULAR] = {RL_FONT_REGULAR, RL_FONT_WIDE, RL_FONT_EAST_ASIAN, RL_FONT_COUNT},
    [RL_FACE_BOLD] = {RL_FONT_BOLD, RL_FONT_WIDE_BOLD, RL_FONT_WIDE, RL_FONT_EAST_ASIAN},
    [RL_FACE_MONO] = {RL_FONT_MONO, RL_FONT_WIDE, RL_FONT_EAST_ASIAN, RL_FONT_COUNT},
};

static const char *const system_folders[] = {"/usr/share/fonts", "/usr/local/share/fonts"};
enum { MAX_DEPTH = 8 }; /* of folders below a font folder: also ends loops of symbolic links */

struct rl_fonts {
    FT_Library library;
    char *path[RL_FONT_COUNT]; /* NULL: not found */
    FT_Face face[RL_FONT_COUNT];
};

/* ---- finding ---- */

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Keeps `candidate` (which it takes) when it is the first one found or sorts before it: the order of a folder is not reproducible.
 */
static void keep_first(char **best, char *candidate)
{
    if (*best && strcmp(*best, candidate) <= 0) {
        free(candidate);
        return;
    }
    free(*best);
    *best = candidate;
}

static void search_folder(const char *folder, const char *file, int depth, char **best)
{
    DIR *dir = depth < MAX_DEPTH ? opendir(folder) : NULL;
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        char *path = rl_path_join(folder, entry->d_name);
        if (strcmp(entry->d_name, file) == 0 && is_file(path)) {
            keep_first(best, path);
            continue;
        }
        if (entry->d_type == DT_DIR || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN)
            search_folder(path, file, depth + 1, best);
        free(path);
    }
    closedir(dir);
}

/* The file of `row` below `folder`: where packages put it, or anywhere. */
static char *find_below(const char *folder, const struct rl_font_row *row)
{
    char *usual = rl_path_join(folder, row->folder);
    char *path = rl_path_join(usual, row->file);
    free(usual);
    if (is_file(path))
        return path;
    free(path);
    path = NULL;
    search_folder(folder, row->file, 0, &path);
    return path;
}

static char *find_font(const char *font_dir, const char *own, const struct rl_font_row *row)
{
    if (font_dir)
        return find_below(font_dir, row);
    char *path = find_below(own, row);
    for (size_t i = 0; i < RL_COUNT(system_folders) && !path; i++)
        path = find_below(system_folders[i], row);
    return path;
}

/* ---- opening ---- */

static enum rl_status open_font(struct rl_fonts *fonts, enum rl_font_id id, const char *font_dir, const char *own,
                                struct rl_err *err)
{
    const struct rl_font_row *row = &rl_font_rows[id];
    fonts->path[id] = find_font(font_dir, own, row);
    if (!fonts->path[id] && row->optional)
        return RL_OK;
    if (!fonts->path[id])
        return rl_err_set(err, RL_ABSENT, "font %s (%s) not found below %s: install %s", row->family, row->file,
                          font_dir ? font_dir : system_folders[0], row->package);
    FT_Error bad = FT_New_Face(fonts->library, fonts->path[id], 0, &fonts->face[id]);
    if (bad || FT_Select_Charmap(fonts->face[id], FT_ENCODING_UNICODE))
        return rl_err_set(err, RL_FORMAT, "%s is not a TrueType font with Unicode characters: reinstall %s", fonts->path[id],
                          row->package);
    return RL_OK;
}

enum rl_status rl_fonts_open(const char *font_dir, struct rl_fonts **out, struct rl_err *err)
{
    struct rl_fonts *fonts = rl_calloc(1, sizeof *fonts);
    enum rl_status status = RL_OK;
    if (FT_Init_FreeType(&fonts->library))
        status = rl_err_set(err, RL_FAILED, "FreeType cannot be initialised");
    char *program = rl_executable_dir(), *own = rl_path_join(program, "../share/rooflight/fonts");
    for (int id = 0; id < RL_FONT_COUNT && status == RL_OK; id++)
        status = open_font(fonts, (enum rl_font_id)id, font_dir, own, err);
    free(program);
    free(own);
    if (status != RL_OK) {
        rl_fonts_free(fonts);
        return status;
    }
    *out = fonts;
    return RL_OK;
}

void rl_fonts_free(struct rl_fonts *fonts)
{
    if (!fonts)
        return;
    for (int id = 0; id < RL_FONT_COUNT; id++) {
        if (fonts->face[id])
            FT_Done_Face(fonts->face[id]);
        free(fonts->path[id]);
    }
    if (fonts->library)
        FT_Done_FreeType(fonts->library);
    free(fonts);
}

/* ---- asking ---- */

const char *rl_fonts_path(const struct rl_fonts *fonts, enum rl_font_id font)
{
    assert(font < RL_FONT_COUNT);
    return fonts->path[font];
}

static bool covers(const struct rl_fonts *fonts, enum rl_font_id font, uint32_t codepoint)
{
    return font < RL_FONT_COUNT && fonts->face[font] && FT_Get_Char_Index(fonts->face[font], codepoint) != 0;
}

static bool encodable(uint32_t codepoint)
{
    return codepoint >= 0x20 && codepoint <= 0xFFFD && !(codepoint >= 0x7F && codepoint < 0xA0);
}

enum rl_font_id rl_fonts_pick(const struct rl_fonts *fonts, enum rl_face face, uint32_t *codepoint)
{
    assert(face < RL_FACE_COUNT);
    for (size_t i = 0; i < CHAIN && encodable(*codepoint); i++)
        if (covers(fonts, chains[face][i], *codepoint))
            return chains[face][i];
    *codepoint = RL_UTF8_REPLACEMENT;
    return RL_FONT_WIDE;
}

struct rl_font_heights rl_fonts_heights(const struct rl_fonts *fonts)
{
    FT_Face face = fonts->face[RL_FONT_REGULAR];
    struct rl_font_heights heights = {0.72, 0.76, 0.22}; /* usual ones, should a glyph not load */
    const struct {
        FT_ULong character;
        double *height;
        int sign;
    } probes[] = {{'H', &heights.capital, 1}, {'l', &heights.ascent, 1}, {'g', &heights.descent, -1}};
    for (size_t i = 0; i < RL_COUNT(probes); i++) {
        if (FT_Load_Char(face, probes[i].character, FT_LOAD_NO_SCALE))
            continue;
        const FT_Glyph_Metrics *m = &face->glyph->metrics;
        FT_Pos reach = probes[i].sign > 0 ? m->horiBearingY : m->height - m->horiBearingY;
        *probes[i].height = (double)reach / face->units_per_EM;
    }
    return heights;
}

/* web_page.c - the file around the parts of a document (see web.h): what may run in it, its head, contents and foot. */
#include <stdlib.h>
#include <string.h>

#include "core/fs.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "markup.h"
#include "templates.h"
#include "web_private.h"

static struct rl_buf part_of(const char *name)
{
    const struct rl_template *template = rl_template_called(name);
    struct rl_buf part = RL_BUF_INIT;
    rl_buf_add(&part, template->text, template->len);
    return part;
}

struct rl_web *rl_web_new(void)
{
    struct rl_web *web = rl_calloc(1, sizeof *web);
    web->style = part_of("document.css");
    web->script = part_of("document.js");
    web->body = (struct rl_buf)RL_BUF_INIT;
    return web;
}

void rl_web_free(struct rl_web *web)
{
    if (!web)
        return;
    rl_buf_release(&web->style);
    rl_buf_release(&web->script);
    rl_buf_release(&web->body);
    rl_intern_release(&web->names);
    rl_arena_release(&web->arena);
    free(web->links);
    free(web->ids);
    free(web->uses);
    free(web->bookmarks);
    free(web);
}

void rl_web_image(struct rl_web *web, const void *png, size_t len)
{
    web->image = png;
    web->image_len = len;
}

/* ---- the policy ---- */

/* RFC 4648, 4. */
static void add_base64(struct rl_buf *out, const unsigned char *bytes, size_t len)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < len; i += 3) {
        const size_t left = len - i;
        const unsigned group =
            (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
        rl_buf_addch(out, letters[group >> 18]);
        rl_buf_addch(out, letters[group >> 12 & 63]);
        rl_buf_addch(out, left > 1 ? letters[group >> 6 & 63] : '=');
        rl_buf_addch(out, left > 2 ? letters[group & 63] : '=');
    }
}

static unsigned char digit_of(char hex)
{
    return (unsigned char)(hex <= '9' ? hex - '0' : hex - 'a' + 10);
}

/* "'sha256-...'" of what stands in the element. */
static void add_hash(struct rl_buf *out, const struct rl_buf *text)
{
    enum { BYTES = 32 };
    const struct rl_sha256 hash = rl_sha256_of(text->data, text->len);
    unsigned char bytes[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(digit_of(hash.hex[2 * i]) << 4 | digit_of(hash.hex[2 * i + 1]));
    rl_buf_adds(out, "'sha256-");
    add_base64(out, bytes, sizeof bytes);
    rl_buf_addch(out, '\'');
}

/* ---- head and foot ---- */

static void add_shown(struct rl_buf *out, const char *text)
{
    enum { LONGEST = 500 };
    struct rl_buf shown = RL_BUF_INIT;
    rl_utf8_abbreviate(&shown, text, LONGEST);
    rl_markup_text(out, shown.data, shown.len);
    rl_buf_release(&shown);
}

static void add_property(struct rl_buf *out, const char *name, const char *value)
{
    if (!value)
        return;
    rl_buf_addf(out, "<meta name=\"%s\" content=\"", name);
    add_shown(out, value);
    rl_buf_adds(out, "\">\n");
}

static void add_head(const struct rl_web *web, const struct rl_pdf_info *info, struct rl_buf *out)
{
    rl_buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    /* Nothing is loaded, and nothing runs but the script that was written here. */
    rl_buf_adds(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ");
    add_hash(out, &web->style);
    rl_buf_adds(out, "; script-src ");
    add_hash(out, &web->script);
    rl_buf_addf(out, ";%s base-uri 'none'; form-action 'none'\">\n", web->image ? " img-src data:;" : "");
    rl_buf_adds(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" "
                     "content=\"no-referrer\">\n<title>");
    add_shown(out, info->title);
    rl_buf_adds(out, "</title>\n");
    add_property(out, "author", info->author);
    add_property(out, "description", info->subject);
    add_property(out, "keywords", info->keywords);
    add_property(out, "generator", info->creator);
    add_property(out, "date", info->created);
    rl_buf_adds(out, "<style>");
    rl_buf_add(out, web->style.data, web->style.len);
    rl_buf_adds(out, "</style>\n</head>\n<body>\n");
}

static void add_line(struct rl_buf *out, const char *classes, const char *text)
{
    if (!text || !text[0])
        return;
    rl_buf_addf(out, "<p class=\"%s\">", classes);
    add_shown(out, text);
    rl_buf_adds(out, "</p>\n");
}

static void add_entry(const struct rl_web_bookmark *bookmark, struct rl_buf *out)
{
    rl_buf_addf(out, "<li>%s%s%s", bookmark->id ? "<a href=\"#" : "", bookmark->id ? bookmark->id : "", bookmark->id ? "\">" : "");
    add_shown(out, bookmark->title);
    rl_buf_adds(out, bookmark->id ? "</a></li>\n" : "</li>\n");
}

/* The sections, behind a word that opens them. */
static void add_contents(const struct rl_web *web, struct rl_buf *out)
{
    if (web->bookmark_count < 2)
        return;
    rl_buf_adds(out, "<nav><details><summary>All sections</summary><ol>\n");
    for (size_t i = 0; i < web->bookmark_count; i++)
        add_entry(&web->bookmarks[i], out);
    rl_buf_adds(out, "</ol></details></nav>\n");
}

void rl_web_finish(struct rl_web *web, const struct rl_running *running, const struct rl_pdf_info *info, struct rl_buf *out)
{
    add_head(web, info, out);
    rl_buf_adds(out, "<header>\n");
    if (web->image) {
        rl_buf_adds(out, "<img alt=\"\" src=\"data:image/png;base64,");
        add_base64(out, web->image, web->image_len);
        rl_buf_adds(out, "\">\n");
    }
    add_line(out, "b", running->first_title);
    add_line(out, "n", running->first_author);
    rl_buf_adds(out, "</header>\n");
    add_contents(web, out);
    rl_buf_adds(out, "<main>\n");
    /* The parts, with links where their targets have a place. */
    size_t at = 0;
    for (size_t i = 0; i < web->link_count; i++) {
        const struct rl_web_link *link = &web->links[i];
        const char *id = rl_web_id(web, link->target);
        rl_buf_add(out, web->body.data + at, link->at - at);
        at = link->at;
        if (id && link->ends)
            rl_buf_adds(out, "</a>");
        else if (id)
            rl_buf_addf(out, "<a href=\"#%s\">", id);
    }
    rl_buf_add(out, web->body.data + at, web->body.len - at);
    rl_buf_adds(out, "</main>\n<footer>");
    add_shown(out, running->foot);
    rl_buf_adds(out, "</footer>\n<script>");
    rl_buf_add(out, web->script.data, web->script.len);
    rl_buf_adds(out, "</script>\n</body>\n</html>\n");
}

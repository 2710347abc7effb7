/* handout.c - named texts in sealed memory (handout.h). */
#include "handout.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void rl_handout_add(struct rl_buf *notes, const char *name, const struct rl_buf *text)
{
    assert(name && *name && !strpbrk(name, " \n"));
    rl_buf_addf(notes, "%s %zu\n", name, text->len);
    rl_buf_add(notes, text->data, text->len);
}

/* All of it into a file; memory has no short writes but for signals. */
static bool fill(int fd, const struct rl_buf *notes)
{
    size_t done = 0;
    while (done < notes->len) {
        ssize_t n = write(fd, notes->data + done, notes->len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

enum rl_status rl_handout_seal(const struct rl_buf *notes, int *fd, struct rl_err *err)
{
    assert(notes && fd);
    *fd = memfd_create("rooflight-notes", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd >= 0 && fill(*fd, notes) && fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0)
        return RL_OK;
    const int error = errno;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return rl_err_set(err, RL_IO, "cannot make shared memory: %s", strerror(error));
}

bool rl_handout_map(int fd, const char **notes, size_t *size)
{
    struct stat info;
    *notes = "";
    *size = 0;
    if (fstat(fd, &info) != 0 || info.st_size < 0)
        return false;
    if (info.st_size == 0)
        return true;
    void *at = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        return false;
    *notes = at;
    *size = (size_t)info.st_size;
    return true;
}

bool rl_handout_next(const char *notes, size_t size, size_t *at, struct rl_handout_note *note)
{
    const char *line = notes + *at, *end = memchr(line, '\n', size - *at), *blank = memchr(line, ' ', size - *at);
    if (!end || !blank || blank > end)
        return false;
    const size_t len = strtoul(blank + 1, NULL, 10), head = (size_t)(end + 1 - line); /* the number ends at the line's end */
    if (len > size - *at - head)
        return false;
    *note = (struct rl_handout_note){.name = line, .text = end + 1, .name_len = (size_t)(blank - line), .len = len};
    *at += head + len;
    return true;
}

const char *rl_handout_find(const char *notes, size_t size, const char *name, size_t *len)
{
    struct rl_handout_note note;
    for (size_t at = 0; rl_handout_next(notes, size, &at, &note);)
        if (note.name_len == strlen(name) && memcmp(note.name, name, note.name_len) == 0) {
            *len = note.len;
            return note.text;
        }
    return NULL;
}

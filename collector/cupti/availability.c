/* availability.c - availability images in the user's cache (availability.h). */
#include "availability.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "handout.h"

/* The head of a file, before the image. */
struct head {
    char magic[8];
    uint64_t size;
    char sha256[64];
};
static const char magic[8] = {'r', 'l', 'a', 'v', 'a', 'i', 'l', '1'};
enum { MOST_FILES = 64 };

/* A folder that only this user may write into; with `make` it is made. */
static bool enter(struct rl_buf *path, const char *name, bool make)
{
    struct stat is;
    rl_buf_addf(path, "/%s", name);
    if (make)
        (void)mkdir(path->data, RL_PRIVATE_FOLDER);
    return lstat(path->data, &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid() && !(is.st_mode & (S_IWGRP | S_IWOTH));
}

/* The folder of images; false: there is none that can be trusted. */
static bool find_folder(struct rl_buf *path, bool make)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    RL_SCRATCH place = RL_BUF_INIT;
    if (cache && *cache == '/')
        rl_buf_adds(path, cache);
    else if (home && *home == '/')
        rl_buf_adds(path, home);
    else
        return false;
    bool found = (cache && *cache == '/') || enter(path, ".cache", make);
    found = found && enter(path, "rooflight", make) && enter(path, "availability", make);
    /* Driver, and who may read counters: the same text in every run under the same circumstances. */
    RL_SCRATCH text = RL_BUF_INIT;
    (void)rl_read_file("/proc/driver/nvidia/version", RL_AVAILABILITY_MOST, &text, NULL);
    (void)rl_read_file("/proc/driver/nvidia/params", RL_AVAILABILITY_MOST, &text, NULL);
    rl_buf_addf(&text, "%u", (unsigned)geteuid());
    const struct rl_sha256 hash = rl_sha256_of(text.data, text.len);
    rl_buf_add(&place, hash.hex, 16);
    found = found && enter(path, place.data, make);
    return found;
}

/* Appends what a file keeps; false: it is none of ours. */
static bool read_kept(int folder, const char *name, struct rl_buf *image)
{
    struct head head;
    struct stat is;
    char bytes[RL_AVAILABILITY_MOST];
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good = fd >= 0 && fstat(fd, &is) == 0 && S_ISREG(is.st_mode) && is.st_uid == geteuid() &&
                !(is.st_mode & (S_IWGRP | S_IWOTH)) && read(fd, &head, sizeof head) == sizeof head &&
                memcmp(head.magic, magic, sizeof magic) == 0 && head.size > 0 && head.size <= sizeof bytes &&
                read(fd, bytes, (size_t)head.size) == (ssize_t)head.size;
    if (good) {
        const struct rl_sha256 hash = rl_sha256_of(bytes, (size_t)head.size);
        good = memcmp(hash.hex, head.sha256, sizeof head.sha256) == 0;
    }
    if (good)
        rl_buf_add(image, bytes, (size_t)head.size);
    if (fd >= 0)
        close(fd);
    return good;
}

void rl_availability_give(struct rl_buf *notes)
{
    RL_SCRATCH path = RL_BUF_INIT;
    DIR *folder = find_folder(&path, false) ? opendir(path.data) : NULL;
    if (folder) {
        const struct dirent *entry;
        for (size_t count = 0; count < MOST_FILES && (entry = readdir(folder));) {
            RL_SCRATCH image = RL_BUF_INIT;
            if (strncmp(entry->d_name, RL_AVAILABILITY_NOTE, strlen(RL_AVAILABILITY_NOTE)) == 0 && !strpbrk(entry->d_name, " \n") &&
                read_kept(dirfd(folder), entry->d_name, &image)) {
                rl_handout_add(notes, entry->d_name, &image);
                count++;
            }
        }
        closedir(folder);
    }
}

bool rl_availability_read(const char *name, struct rl_buf *bytes)
{
    RL_SCRATCH path = RL_BUF_INIT;
    const int folder = find_folder(&path, false) ? open(path.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const bool found = folder >= 0 && read_kept(folder, name, bytes);
    if (folder >= 0)
        close(folder);
    return found;
}

void rl_availability_write(const char *name, const void *content, size_t size)
{
    RL_SCRATCH path = RL_BUF_INIT, bytes = RL_BUF_INIT;
    struct head head = {.size = size};
    const struct rl_sha256 hash = rl_sha256_of(content, size);
    memcpy(head.magic, magic, sizeof magic);
    memcpy(head.sha256, hash.hex, sizeof head.sha256);
    if (size > 0 && size <= RL_AVAILABILITY_MOST && find_folder(&path, true)) {
        rl_buf_addf(&path, "/%s", name);
        rl_buf_add(&bytes, &head, sizeof head);
        rl_buf_add(&bytes, content, size);
        (void)rl_write_file_unsynced(path.data, bytes.data, bytes.len, NULL);
    }
}

void rl_availability_keep(const char *chip, uint64_t key, const void *image, size_t size)
{
    RL_SCRATCH name = RL_BUF_INIT;
    if (!*chip || strpbrk(chip, "/. \n"))
        return;
    rl_buf_addf(&name, RL_AVAILABILITY_NOTE "%.*s.%016" PRIx64, RL_AVAILABILITY_CHIP, chip, key);
    rl_availability_write(name.data, image, size);
}

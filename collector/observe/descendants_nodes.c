/* descendants_nodes.c - whether anybody opens a device node of the CUDA driver (inotify). */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "core/mem.h"
#include "descendants_parts.h"

/* IN_OPEN on the node itself: the folder's would tell of every /dev/null. */
static void watch_node(struct rl_node_watch *nodes, struct rl_node *node)
{
    assert(nodes->fd >= 0 && node->path[0] == '/');
    node->watch = inotify_add_watch(nodes->fd, node->path, IN_OPEN);
    if (node->watch >= 0) {
        free(node->real);
        node->real = realpath(node->path, NULL);
        nodes->state = nodes->state == RL_NODES_ABSENT ? RL_NODES_SILENT : nodes->state;
    } else if (errno != ENOENT) {
        nodes->state = RL_NODES_UNWATCHED;
    }
}

/* A node may come into being only when it is needed (nvidia-modprobe). */
static void watch_folder(struct rl_node_watch *nodes, struct rl_node *node)
{
    char *slash = strrchr(node->path, '/');
    char *folder = slash && slash > node->path ? rl_strndup(node->path, (size_t)(slash - node->path)) : NULL;
    node->folder = folder ? inotify_add_watch(nodes->fd, folder, IN_CREATE | IN_MOVED_TO) : -1;
    if (node->folder < 0)
        nodes->state = RL_NODES_UNWATCHED;
    free(folder);
}

static void add_node(struct rl_node_watch *nodes, const char *path, size_t len)
{
    if (len == 0)
        return;
    if (nodes->count == RL_MOST_NODES || path[0] != '/') {
        nodes->state = RL_NODES_UNWATCHED;
        return;
    }
    struct rl_node *node = &nodes->node[nodes->count++];
    *node = (struct rl_node){.path = rl_strndup(path, len), .watch = -1, .folder = -1};
    watch_folder(nodes, node); /* first: a node that comes in between is noticed twice rather than never */
    watch_node(nodes, node);
}

void rl_nodes_open(struct rl_node_watch *nodes, const char *paths)
{
    *nodes = (struct rl_node_watch){.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), .state = RL_NODES_ABSENT};
    if (nodes->fd < 0) {
        nodes->state = RL_NODES_UNWATCHED;
        return;
    }
    for (const char *end; *paths; paths = *end ? end + 1 : end) {
        end = strchrnul(paths, ':');
        add_node(nodes, paths, (size_t)(end - paths));
    }
}

static void opened(struct rl_node_watch *nodes)
{
    nodes->opens++;
    if (nodes->state != RL_NODES_UNWATCHED)
        nodes->state = RL_NODES_OPENED;
}

/* What was lost may have been anything. */
static void take_event(struct rl_node_watch *nodes, const struct inotify_event *event)
{
    if (event->mask & (IN_OPEN | IN_Q_OVERFLOW))
        opened(nodes);
    for (size_t i = 0; i < nodes->count && event->mask & (IN_CREATE | IN_MOVED_TO); i++) {
        struct rl_node *node = &nodes->node[i];
        if (node->folder == event->wd && event->len && strcmp(strrchr(node->path, '/') + 1, event->name) == 0) {
            opened(nodes); /* perhaps before the watch below */
            watch_node(nodes, node);
        }
    }
}

void rl_nodes_take(struct rl_node_watch *nodes)
{
    char events[sizeof(struct inotify_event) + NAME_MAX + 1 + 4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t len;
    while (nodes->fd >= 0 && (len = read(nodes->fd, events, sizeof events)) > 0)
        for (ssize_t at = 0; at < len;) {
            const struct inotify_event *event = (const struct inotify_event *)(events + at);
            take_event(nodes, event);
            at += (ssize_t)(sizeof *event + event->len);
        }
}

void rl_nodes_release(struct rl_node_watch *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        free(nodes->node[i].path);
        free(nodes->node[i].real);
    }
    if (nodes->fd >= 0)
        close(nodes->fd);
    *nodes = (struct rl_node_watch){.fd = -1};
}

/* gpu.c - kernels that wait for the host, or for one another; graphs; contexts. Each first launches `settle` kernels, after which
 * an observer may think that it knows what the program does. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "torture.h"

static CUstream stream_new(void)
{
    CUstream stream;
    MUST(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
    return stream;
}

static void settle(long count)
{
    cuda_start();
    launch_many(count);
}

static void end(const char *text)
{
    MUST(cuCtxSynchronize);
    printf("%s\n", text);
}

/* What is launched behind a kernel that waits, and beside it, is launched before the host lets it go. */
static void wait_flag(long rounds, long count)
{
    CUdeviceptr device;
    settle(count);
    _Atomic uint32_t *word = word_new(&device);
    CUstream waiting = stream_new(), other = stream_new();
    for (long i = 1; i <= rounds; i++) {
        launch_wait(waiting, device, (uint32_t)i);
        for (int k = 0; k < 20; k++) {
            must(launch_in(waiting, 3, 2000), "cuLaunchKernel");
            must(launch_in(other, 4, 2000), "cuLaunchKernel");
        }
        atomic_store(word, (uint32_t)i);
        MUST(cuStreamSynchronize, waiting);
    }
    end("let go");
}

/* As XLA's autotuner holds the stream while it enqueues what it wants to time; says how often the kernel gave up waiting. */
static void delay(long rounds, long count)
{
    CUdeviceptr device, late_device;
    uint64_t patience_ns = 1000000000;
    settle(count);
    _Atomic uint32_t *word = word_new(&device), *late = word_new(&late_device);
    CUstream stream = stream_new();
    for (long i = 1; i <= rounds; i++) {
        uint32_t value = (uint32_t)i;
        must(launch_on(stream, DELAY, 1, (void *[]){&device, &value, &patience_ns, &late_device}), "cuLaunchKernel");
        for (int k = 0; k < 10; k++)
            must(launch_in(stream, 3, 5000), "cuLaunchKernel");
        atomic_store(word, value);
        MUST(cuStreamSynchronize, stream);
    }
    printf("delay kernel timed out: %u\n", atomic_load(late));
    end("timed");
}

/* A kernel that serves the host as long as the program runs. */
static void persistent(long requests, long count)
{
    CUdeviceptr in_device, out_device;
    settle(count);
    _Atomic uint32_t *in = word_new(&in_device), *out = word_new(&out_device);
    CUstream server = stream_new(), other = stream_new();
    must(launch_on(server, PERSISTENT, 1, (void *[]){&in_device, &out_device}), "cuLaunchKernel");
    for (long i = 1; i <= requests; i++) {
        atomic_store(in, (uint32_t)i);
        must(launch_in(other, 4, 2000), "cuLaunchKernel");
        while (atomic_load(out) != (uint32_t)i)
            usleep(100);
    }
    MUST(cuStreamSynchronize, other);
    atomic_store(in, UINT32_MAX);
    end("served");
}

static void wait_value(long rounds, long count)
{
    CUdeviceptr device;
    settle(count);
    _Atomic uint32_t *word = word_new(&device);
    CUstream waiting = stream_new(), other = stream_new();
    for (long i = 1; i <= rounds; i++) {
        MUST(cuStreamWaitValue32_v2, waiting, device, (uint32_t)i, CU_STREAM_WAIT_VALUE_GEQ);
        for (int k = 0; k < 20; k++) {
            must(launch_in(waiting, 3, 2000), "cuLaunchKernel");
            must(launch_in(other, 4, 2000), "cuLaunchKernel");
        }
        atomic_store(word, (uint32_t)i);
    }
    end("let go");
}

static void CUDA_CB let_go(void *word)
{
    atomic_fetch_add((_Atomic uint32_t *)word, 1);
}

/* Host functions, one of which lets a kernel of another stream go. */
static void host_functions(long rounds, long count)
{
    CUdeviceptr device;
    settle(count);
    _Atomic uint32_t *word = word_new(&device);
    CUstream waiting = stream_new(), other = stream_new();
    for (long i = 1; i <= rounds; i++) {
        launch_wait(waiting, device, (uint32_t)i);
        must(launch_in(waiting, 3, 2000), "cuLaunchKernel");
        for (int k = 0; k < 20; k++)
            must(launch_in(other, 4, 2000), "cuLaunchKernel");
        MUST(cuLaunchHostFunc, other, let_go, word);
        MUST(cuStreamSynchronize, waiting);
    }
    end("let go");
}

static struct {
    CUdeviceptr device;
    CUstream stream;
    long rounds;
    atomic_long over; /* rounds whose waiting kernel has ended: the word must not go on before it has been seen */
} pair;

static void *launch_stores(void *unused)
{
    (void)unused;
    cuda_join();
    for (long i = atomic_load(&pair.over) + 1; i <= pair.rounds; i++) {
        do
            usleep(500);
        while (atomic_load(&pair.over) < i - 1);
        must(launch_in(pair.stream, 4, 2000), "cuLaunchKernel");
        launch_store(pair.stream, pair.device, (uint32_t)i);
        MUST(cuStreamSynchronize, pair.stream);
    }
    return NULL;
}

/* A kernel waits for one that another thread launches, as those of a collective do. */
static void two_threads(long rounds, long count)
{
    pthread_t thread;
    CUdeviceptr answer;
    settle(count);
    (void)word_new(&pair.device);
    (void)word_new(&answer);
    CUstream waiting = stream_new();
    pair.stream = stream_new();
    pair.rounds = rounds;
    pthread_create(&thread, NULL, launch_stores, NULL);
    for (long i = 1; i <= rounds; i++) {
        launch_wait(waiting, pair.device, (uint32_t)i);
        MUST(cuStreamSynchronize, waiting);
        atomic_store(&pair.over, i);
    }
    pthread_join(thread, NULL);
    end("met");
}

/* The same, but at first what the kernel waits for is there: that it ended then says nothing of its later launches. */
static void late_wait(long rounds, long count)
{
    enum { THERE = 2 };
    pthread_t thread;
    settle(count);
    (void)word_new(&pair.device);
    CUstream waiting = stream_new();
    pair.stream = stream_new();
    pair.rounds = rounds;
    for (long i = 1; i <= THERE; i++) {
        launch_store(pair.stream, pair.device, (uint32_t)i);
        MUST(cuStreamSynchronize, pair.stream);
        launch_wait(waiting, pair.device, (uint32_t)i);
        MUST(cuStreamSynchronize, waiting);
        atomic_store(&pair.over, i);
    }
    pthread_create(&thread, NULL, launch_stores, NULL);
    for (long i = THERE + 1; i <= rounds; i++) {
        launch_wait(waiting, pair.device, (uint32_t)i);
        MUST(cuStreamSynchronize, waiting);
        atomic_store(&pair.over, i);
    }
    pthread_join(thread, NULL);
    end("met");
}

/* A stream that waits for an event of one that waits for the host. */
static void events(long rounds, long count)
{
    CUdeviceptr device;
    CUevent event;
    settle(count);
    _Atomic uint32_t *word = word_new(&device);
    CUstream waiting = stream_new(), other = stream_new();
    MUST(cuEventCreate, &event, CU_EVENT_DISABLE_TIMING);
    for (long i = 1; i <= rounds; i++) {
        launch_wait(waiting, device, (uint32_t)i);
        MUST(cuEventRecord, event, waiting);
        MUST(cuStreamWaitEvent, other, event, 0);
        for (int k = 0; k < 10; k++)
            must(launch_in(other, 4, 2000), "cuLaunchKernel");
        atomic_store(word, (uint32_t)i);
        MUST(cuStreamSynchronize, other);
    }
    end("followed");
}

/* ---- many ---- */

static void grids(long count, long unused)
{
    (void)unused;
    uint64_t ns = 2000;
    cuda_start();
    for (long i = 0; i < count; i++)
        must(launch_on(NULL, 0, (unsigned)i + 1, (void *[]){&ns}), "cuLaunchKernel");
    end("grids");
}

static void graphs(long launches, long nodes)
{
    CUgraph graph;
    CUgraphExec executable;
    uint64_t ns = 2000;
    cuda_start();
    CUstream stream = stream_new();
    must(launch_on(stream, 6, 1, (void *[]){&ns}), "cuLaunchKernel");
    MUST(cuStreamBeginCapture_v2, stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    for (long i = 0; i < nodes; i++)
        must(launch_on(stream, 7, 1, (void *[]){&ns}), "cuLaunchKernel");
    count_launches(7, (uint64_t)-nodes); /* they were recorded, not launched */
    MUST(cuStreamEndCapture, stream, &graph);
    MUST(cuGraphInstantiateWithFlags, &executable, graph, 0);
    for (long i = 0; i < launches; i++) {
        MUST(cuGraphLaunch, executable, stream);
        count_launches(7, (uint64_t)nodes);
    }
    end("graphs");
}

/* A graph that waits for the host: its launch returns at once. */
static void waiting_graph(long launches, long count)
{
    CUgraph graph;
    CUgraphExec executable;
    CUdeviceptr device;
    settle(count);
    _Atomic uint32_t *word = word_new(&device);
    CUstream stream = stream_new();
    MUST(cuStreamBeginCapture_v2, stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    launch_wait(stream, device, 1);
    launch_store(stream, device, 0);
    count_launches(WAIT_FLAG, (uint64_t)-1);
    count_launches(STORE, (uint64_t)-1);
    MUST(cuStreamEndCapture, stream, &graph);
    MUST(cuGraphInstantiateWithFlags, &executable, graph, 0);
    for (long i = 0; i < launches; i++) {
        MUST(cuGraphLaunch, executable, stream);
        count_launches(WAIT_FLAG, 1);
        count_launches(STORE, 1);
        launch(3);
        atomic_store(word, 1);
        MUST(cuStreamSynchronize, stream);
    }
    end("let go");
}

/* Long enough for windows of counters, and for records on their way. */
static void steady(long milliseconds, long ns)
{
    cuda_start();
    for (long spent = 0; spent < milliseconds; spent += 5) {
        for (int i = 0; i < 50; i++)
            must(launch_in(NULL, i % 4, (uint64_t)ns), "cuLaunchKernel");
        MUST(cuCtxSynchronize);
        usleep(5000 - (useconds_t)(50 * ns / 1000 < 4500 ? 50 * ns / 1000 : 4500));
    }
    end("steady");
}

/* ---- contexts ---- */

static void contexts(long rounds, long count)
{
    CUcontext context;
    cuda_start();
    for (long i = 0; i < rounds; i++) {
        MUST(cuCtxCreate_v2, &context, 0, 0);
        cuda_load();
        launch_many(count);
        MUST(cuCtxSynchronize);
        MUST(cuCtxDestroy_v2, context);
    }
    printf("%ld contexts\n", rounds);
}

static CUcontext doomed;
static atomic_int launching;

static void *launch_until_refused(void *unused)
{
    (void)unused;
    MUST(cuCtxSetCurrent, doomed);
    do
        atomic_fetch_add(&launching, 1);
    while (launch_in(NULL, 2, 2000) == CUDA_SUCCESS);
    return NULL;
}

/* The context goes while other threads launch into it. */
static void destroyed(long threads, long milliseconds)
{
    pthread_t ids[16];
    cuda_open();
    MUST(cuInit, 0);
    MUST(cuCtxCreate_v2, &doomed, 0, 0);
    cuda_load();
    for (long i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, launch_until_refused, NULL);
    while (atomic_load(&launching) < 100)
        usleep(1000);
    usleep((useconds_t)milliseconds * 1000);
    MUST(cuCtxDestroy_v2, doomed);
    for (long i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    printf("refused\n");
}

/* For ptxas, where there is no card to try the kernels on. */
static void kernels(long unused, long unused2)
{
    (void)unused, (void)unused2;
    char text[CUDA_TEXT];
    (void)!write(1, text, cuda_text(text, sizeof text));
}

const struct program programs_gpu[] = {
    {"kernels", kernels},
    {"wait_flag", wait_flag},
    {"delay", delay},
    {"persistent", persistent},
    {"wait_value", wait_value},
    {"host_functions", host_functions},
    {"two_threads", two_threads},
    {"late_wait", late_wait},
    {"events", events},
    {"grids", grids},
    {"graphs", graphs},
    {"waiting_graph", waiting_graph},
    {"steady", steady},
    {"contexts", contexts},
    {"destroyed", destroyed},
    {NULL, NULL},
};

/* program.c - the program that is observed, on the stand-in driver: what the first argument names, with two numbers. It knows
 * nothing of rooflight. Prints "out" and "err", so that a test sees that its streams are its own. */
#include <cuda.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stand_in.h"

enum { KERNELS = 10 };
static struct stand_in_kernel kernels[KERNELS];
static char names[KERNELS][64];
static const struct stand_in_kernel collective = {"_Z25ncclDevKernel_AllReduce_SumP8ncclArgs", 5000, 0, STAND_IN_COUNTS};

/* "void work3<float>(float*, int)" and so on; kernel i lasts (i + 1) us. */
static void name_kernels(void)
{
    for (int i = 0; i < KERNELS; i++) {
        snprintf(names[i], sizeof names[i], "_Z5work%dIfEvPT_i", i);
        kernels[i] = (struct stand_in_kernel){names[i], 1000 * (uint64_t)(i + 1), 1000.0 * (i + 1), STAND_IN_COUNTS};
    }
}

static void start_cuda(int device)
{
    CUcontext context;
    if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate_v2(&context, 0, device) != CUDA_SUCCESS)
        exit(99);
}

static void launch_on(const struct stand_in_kernel *kernel, CUstream stream)
{
    cuLaunchKernel((CUfunction)(uintptr_t)kernel, 64, 1, 1, 128, 1, 1, 0, stream, NULL, NULL);
}

static void launch(int kernel)
{
    launch_on(&kernels[kernel], NULL);
}

static long pause_every = 100; /* launches; RL_PAUSE_EVERY in the environment */

/* Does something else for a millisecond, however busy the machine is, after so many launches. */
static void pause_after(long launch)
{
    if (launch % pause_every == pause_every - 1)
        usleep(1000);
}

static void launch_many(long count, long classes)
{
    for (long i = 0; i < count; i++) {
        launch((int)(i % classes));
        pause_after(i);
    }
}

/* The longest kernel comes twice, and never again. */
static void early(long count, long classes)
{
    start_cuda(0);
    launch(KERNELS - 1);
    launch(KERNELS - 1);
    launch_many(count, classes);
}

/* One grid after the other, each so many times but the first once more, after one launch of another kernel, as programs do that try
 * sizes. */
static void sizes(long count, long launches)
{
    start_cuda(0);
    launch(1);
    for (long i = -1; i < count * launches; i++) {
        const unsigned grid = (unsigned)(1 + (i < 0 ? 0 : i / launches));
        cuLaunchKernel((CUfunction)(uintptr_t)&kernels[0], grid, 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
        usleep(8000);
    }
}

static void CUDA_CB on_host(void *unused)
{
    (void)unused;
}

/* One grid after the other, each so many times, and after each launch a function of the host, as JAX has them. */
static void host_calls(long count, long launches)
{
    start_cuda(0);
    for (long i = 0; i < count * launches; i++) {
        cuLaunchKernel((CUfunction)(uintptr_t)&kernels[0], (unsigned)(1 + i / launches), 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
        cuLaunchHostFunc(NULL, on_host, NULL);
        usleep(8000);
    }
}

/* One grid after the other, each so many times: first by itself, then behind a kernel that waits for the host, as XLA times one. */
static void timed_behind(long count, long launches)
{
    static const struct stand_in_kernel delay = {"_ZN15stream_executor3gpu11DelayKernelEv", 0, 3000, STAND_IN_WAITS};
    static _Atomic uint32_t go;
    uint32_t turn = 0;
    CUdeviceptr word = (CUdeviceptr)(uintptr_t)&go;
    start_cuda(0);
    for (long i = 0; i < count * launches; i++) {
        turn += i % launches != 0;
        if (i % launches)
            cuLaunchKernel((CUfunction)(uintptr_t)&delay, 1, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&word, &turn}, NULL);
        cuLaunchKernel((CUfunction)(uintptr_t)&kernels[0], (unsigned)(1 + i / launches), 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
        atomic_store(&go, turn);
        cuCtxSynchronize();
        usleep(8000);
    }
}

/* Sweeps over so many grids, each launched once in a sweep. */
static void wavefront(long grids, long sweeps)
{
    start_cuda(0);
    for (long i = 0; i < grids * sweeps; i++) {
        cuLaunchKernel((CUfunction)(uintptr_t)&kernels[0], (unsigned)(1 + i % grids), 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
        pause_after(i);
    }
}

static void wait_for_each(const struct stand_in_kernel *kernel, long count, long ms)
{
    uint64_t ns = (uint64_t)ms * 1000000;
    start_cuda(0);
    for (long i = 0; i < count; i++) {
        cuLaunchKernel((CUfunction)(uintptr_t)kernel, 64, 1, 1, 128, 1, 1, 0, NULL, (void *[]){&ns}, NULL);
        cuCtxSynchronize();
    }
}

#define MUCH_WORK 3e9 /* instructions */

/* Kernels of so many milliseconds that execute many instructions; the program waits for each. */
static void lasting(long count, long ms)
{
    static const struct stand_in_kernel kernel = {"_Z7lastingPf", 0, MUCH_WORK, STAND_IN_WORKS};
    wait_for_each(&kernel, count, ms);
}

/* Kernels that wait for most of that time. */
static void resting(long count, long ms)
{
    static const struct stand_in_kernel kernel = {"_Z7restingPf", 0, 3000, STAND_IN_WORKS};
    wait_for_each(&kernel, count, ms);
}

/* Kernels whose code is loaded at their first launch. */
static void lazy(long count, long ms)
{
    static const struct stand_in_kernel kernel = {"_Z4lazyPf", 0, 3000, STAND_IN_WORKS};
    wait_for_each(&kernel, count, ms);
    printf("loads %u\n", stand_in_loads());
}

/* Two short kernels one after the other, each as often as it takes for instrumented code to be counted, then in turn with one of so
 * many milliseconds: that comes for the first time while the first one's code is instrumented. */
static void relay(long count, long ms)
{
    static const struct stand_in_kernel lasting = {"_Z7lastingPf", 0, MUCH_WORK, STAND_IN_WORKS},
                                        brief[] = {{"_Z5briefPf", 0, 3000, STAND_IN_WORKS},
                                                   {"_Z6brieferPf", 0, 3000, STAND_IN_WORKS}};
    enum { HARDWARE_LAUNCHES = 3, BRIEF = 2 };
    uint64_t brief_ns = 20000, ns = (uint64_t)ms * 1000000;
    start_cuda(0);
    for (int which = 0; which < BRIEF; which++)
        for (long i = 0; i < HARDWARE_LAUNCHES + count; i++) {
            cuLaunchKernel((CUfunction)(uintptr_t)&brief[which], 64, 1, 1, 128, 1, 1, 0, NULL, (void *[]){&brief_ns}, NULL);
            cuCtxSynchronize();
            if (i < HARDWARE_LAUNCHES)
                continue;
            cuLaunchKernel((CUfunction)(uintptr_t)&lasting, 64, 1, 1, 128, 1, 1, 0, NULL, (void *[]){&ns}, NULL);
            cuCtxSynchronize();
        }
}

/* Launches until so many milliseconds have passed. */
static void launch_for(long ms)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        launch_many(100, 3);
        usleep(100);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static void ends_after(long ms, long unused)
{
    (void)unused;
    start_cuda(0);
    launch_for(ms);
}

static void *exit_after(void *ms)
{
    start_cuda(0);
    launch_for(*(long *)ms);
    exit(0);
}

/* Another thread than the first ends the process. */
static void ended_after(long ms, long unused)
{
    pthread_t thread;
    (void)unused;
    cuInit(0);
    if (pthread_create(&thread, NULL, exit_after, &ms) == 0)
        pthread_join(thread, NULL);
}

static void many(long count, long classes)
{
    start_cuda(0);
    launch_many(count, classes);
}

/* Launches of one kernel, which take as many nanoseconds each. */
static void timed(long count, long ns)
{
    const struct stand_in_kernel kernel = {"_Z5timedPf", (uint64_t)ns, 5000, STAND_IN_COUNTS};
    start_cuda(0);
    for (long i = 0; i < count; i++)
        launch_on(&kernel, NULL);
}

/* Two kernels that take their time, in an order of no period, for so many rounds; none runs in between now and then. */
static void work_for(long count)
{
    static const struct stand_in_kernel shorter = {"_Z7shorterPf", 0, 1000, STAND_IN_WORKS},
                                        longer = {"_Z6longerPf", 0, 7000, STAND_IN_WORKS};
    uint64_t shorter_ns = 200000, longer_ns = 500000;
    void *of_shorter[] = {&shorter_ns}, *of_longer[] = {&longer_ns};
    static unsigned random = 1;
    for (long i = 0; i < count; i++) {
        random = random * 1103515245u + 12345u;
        const bool is_longer = (random >> 16) % 3 == 0;
        cuLaunchKernel((CUfunction)(uintptr_t)(is_longer ? &longer : &shorter), 64, 1, 1, 128, 1, 1, 0, NULL,
                       is_longer ? of_longer : of_shorter, NULL);
        if (i % 8 == 7) {
            cuCtxSynchronize();
            usleep(1000);
        }
    }
    cuCtxSynchronize();
}

/* `killed`: it is killed before what it did last can be told. */
static void sampled(long count, long killed)
{
    start_cuda(0);
    work_for(count);
    if (killed)
        raise(SIGKILL);
}

/* The same, with memory. */
static void allocates(long count, long unused)
{
    (void)unused;
    CUdeviceptr memory;
    start_cuda(0);
    if (cuMemAlloc_v2(&memory, 4096) != CUDA_SUCCESS)
        exit(98);
    work_for(count);
}

/* The same, after a copy. */
static void copies_first(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    cuMemcpyHtoD_v2(0, "", 4 << 20);
    work_for(count);
}

/* Samples in which a kernel ran, so far (stand_in_pm.c). */
static long met_samples(void)
{
    char name[4096];
    struct stat met;
    snprintf(name, sizeof name, "%s.met", getenv("RL_PM_FILE") ? getenv("RL_PM_FILE") : "");
    return stat(name, &met) == 0 ? (long)met.st_size : 0;
}

/* The same, but after one kernel nothing runs for a while, as where a program loads and compiles; then until so many samples have
 * met a kernel, or for a minute. */
static void loads_first(long samples, long ms)
{
    enum { ROUND = 200, MOST_S = 60 };
    const time_t begun = time(NULL);
    start_cuda(0);
    work_for(1);
    usleep((useconds_t)ms * 1000);
    while (met_samples() < samples && time(NULL) - begun < MOST_S)
        work_for(ROUND);
}

/* Makes ready, does something else for so long, and computes: 80 launches take a thirtieth of a second. */
static void pauses(long ms, long count)
{
    start_cuda(0);
    launch_many(3, 1);
    cuCtxSynchronize();
    usleep((useconds_t)ms * 1000);
    work_for(count);
}

/* Launches of one kernel in two streams at a time, every third of which is held up by the other; each does the same work. */
static void crowded(long count, long unused)
{
    (void)unused;
    static const struct stand_in_kernel kernel = {"_Z6sharedPf", 0, 3000, STAND_IN_WORKS};
    uint64_t short_ns = 200000, long_ns = 400000;
    void *of_short[] = {&short_ns}, *of_long[] = {&long_ns};
    CUstream streams[2];
    start_cuda(0);
    for (int i = 0; i < 2; i++)
        cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING);
    for (long i = 0; i < count; i++)
        cuLaunchKernel((CUfunction)(uintptr_t)&kernel, 64, 1, 1, 128, 1, 1, 0, streams[i % 2], i % 3 ? of_short : of_long, NULL);
    cuCtxSynchronize();
}

/* One kernel of so many microseconds, the first time of twenty times as many, launched as fast as the driver takes it: all the time
 * a thousand of them are queued. */
static void flood(long count, long us)
{
    static const struct stand_in_kernel kernel = {"_Z5triadPf", 0, 3000, STAND_IN_WORKS};
    start_cuda(0);
    for (long i = 0; i < count; i++) {
        uint64_t ns = (uint64_t)us * (i ? 1000 : 20000);
        cuLaunchKernel((CUfunction)(uintptr_t)&kernel, 64, 1, 1, 128, 1, 1, 0, NULL, (void *[]){&ns}, NULL);
    }
    cuCtxSynchronize();
}

/* One kernel, one grid: every third launch has five times as much to do. */
static void two_kinds(long count, long unused)
{
    (void)unused;
    static const struct stand_in_kernel little = {"_Z10persistentPf", 5000, 5000, STAND_IN_COUNTS},
                                        much = {"_Z10persistentPf", 25000, 25000, STAND_IN_COUNTS};
    start_cuda(0);
    for (long i = 0; i < count; i++) {
        launch_on(i % 3 == 0 ? &much : &little, NULL);
        pause_after(i);
    }
}

/* The same with as much to do each time. */
static void two_times(long count, long unused)
{
    (void)unused;
    static const struct stand_in_kernel quick = {"_Z6cachedPf", 5000, 5000, STAND_IN_COUNTS},
                                        slow = {"_Z6cachedPf", 8000, 5000, STAND_IN_COUNTS};
    start_cuda(0);
    for (long i = 0; i < count; i++) {
        launch_on(i % 3 == 0 ? &slow : &quick, NULL);
        pause_after(i);
    }
}

/* A kernel that has a little more to do each time, from 4 us to 16 us; then the program does something else for so long. */
static void growing(long count, long rest_ms)
{
    static struct stand_in_kernel kernel = {"_Z9attentionPf", 4000, 4000, STAND_IN_COUNTS};
    start_cuda(0);
    for (long i = 0; i < count; i++) {
        kernel.duration_ns = 4000 + (uint64_t)(12000 * i / count);
        kernel.work = (double)kernel.duration_ns;
        launch_on(&kernel, NULL);
        pause_after(i);
    }
    usleep((useconds_t)rest_ms * 1000);
}

/* A kernel that has twice as much to do after so many launches, and again. */
static void doubling(long count, long sizes)
{
    static struct stand_in_kernel kernel = {"_Z4nrm2Pf", 0, 0, STAND_IN_COUNTS};
    start_cuda(0);
    for (long size = 0; size < sizes; size++) {
        kernel.duration_ns = UINT64_C(4000) << size;
        kernel.work = (double)kernel.duration_ns;
        for (long i = 0; i < count; i++) {
            launch_on(&kernel, NULL);
            pause_after(i);
        }
    }
}

/* Each kernel's module is unloaded after its launches, and the next one's name comes to stand where its name stood. */
static void renamed(long count, long classes)
{
    static char name[64];
    const struct stand_in_kernel kernel = {name, 1000, 1000, STAND_IN_COUNTS};
    start_cuda(0);
    for (long i = 0; i < classes; i++) {
        memcpy(name, names[i], sizeof name);
        for (long k = 0; k < count; k++)
            launch_on(&kernel, NULL);
    }
}

/* As where the driver takes its time to begin. */
static void late(long count, long classes)
{
    start_cuda(0);
    usleep(400000);
    launch_many(count, classes);
}

/* One class has nearly all the time. */
static void skewed(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    for (long i = 0; i < count; i++) {
        launch(i % 300 == 7 ? 0 : 9);
        pause_after(i);
    }
}

/* Each launch of a class lasts a nanosecond longer than the one before. */
static void warming(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    for (long i = 0; i < count; i++, kernels[0].duration_ns++)
        launch(0);
}

static void idle(long unused, long unused2)
{
    (void)unused, (void)unused2;
    start_cuda(0);
}

static void nothing(long unused, long unused2)
{
    (void)unused, (void)unused2;
}

static void status(long number, long unused)
{
    (void)unused;
    many(40, 2);
    exit((int)number);
}

static void underscore_exit(long number, long unused)
{
    (void)unused;
    many(2000, 2);
    usleep(200000);
    launch(0); /* brings what is older than 0.1 s */
    fflush(NULL);
    _exit((int)number);
}

static void by_signal(long number, long unused)
{
    (void)unused;
    many(2000, 2);
    usleep(200000);
    launch(0);
    fflush(NULL);
    raise((int)number);
}

/* Waits for a signal that the test sends; says when it is ready. `well`: that is no reason to fail. */
static volatile sig_atomic_t caught;
static void on_signal(int number)
{
    caught = number;
}
static void wait_for_signal(long number, long well)
{
    signal((int)number, on_signal);
    many(100, 2);
    printf("ready\n");
    fflush(stdout);
    for (int i = 0; i < 500 && !caught; i++)
        usleep(10000);
    exit(!caught ? 1 : well ? 0 : 40 + caught);
}

/* As `many`, and takes so many milliseconds more. */
static void nap(long count, long milliseconds)
{
    many(count, 2);
    usleep(200000);
    launch(0); /* brings what is older than 0.1 s */
    printf("ready\n");
    fflush(stdout);
    usleep((useconds_t)milliseconds * 1000);
}

/* Files may have so many bytes until the last quarter of the launches is made, as if the disk were full until then. */
static void limit(long bytes, long count)
{
    struct rlimit room;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &room);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)bytes, room.rlim_max});
    start_cuda(0);
    for (long i = 0; i < 4; i++) {
        if (i == 3)
            setrlimit(RLIMIT_FSIZE, &room);
        launch_many(count / 4, KERNELS);
        usleep(150000);
    }
}

/* No more memory than there is, of which the program takes all blocks of so many bytes and more; launches go on. */
static void starved(long least, long count)
{
    start_cuda(0);
    launch_many(100, KERNELS);
    setrlimit(RLIMIT_AS, &(struct rlimit){0, 0});
    for (size_t bytes = 1 << 20, blocks = 0; bytes >= (size_t)least; bytes /= 2)
        while (blocks < 10000 && malloc(bytes))
            blocks++;
    launch_many(count, KERNELS);
    usleep(300000);
    launch_many(count, KERNELS);
}

/* From the first launches on, every thread is killed that opens a file or a socket, begins a thread or a process, or makes memory
 * with a name. */
static void sealed(long count, long unused)
{
    static const int forbidden[] = {SYS_openat, SYS_socket, SYS_connect,      SYS_clone,
                                    SYS_clone3, SYS_execve, SYS_memfd_create, SYS_pipe2};
    enum { COUNT = sizeof forbidden / sizeof forbidden[0] };
    struct sock_filter filter[2 * COUNT + 2] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    for (int i = 0; i < COUNT; i++) {
        filter[2 * i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)forbidden[i], 0, 1);
        filter[2 * i + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    }
    filter[2 * COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    (void)unused;
    start_cuda(0);
    launch_many(100, KERNELS);
    const struct sock_fprog program = {2 * COUNT + 2, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program))
        exit(98);
    launch_many(count, KERNELS);
    usleep(300000);
    launch_many(count, KERNELS);
}

static void ranges(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    nvtxDomainHandle_t domain = nvtxDomainCreateA("lib");
    nvtxEventAttributes_t event = {.version = NVTX_VERSION, .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringA(domain, "inner");
    launch(9); /* outside */
    for (long i = 0; i < count; i++) {
        nvtxRangePushA("step");
        launch(0);
        nvtxRangePushW(L"vorwärts");
        launch(1);
        nvtxDomainRangePushEx(domain, &event);
        launch(2);
        if (i % 2) /* as NCCL does */
            nvtxRangePopPayload(domain, NULL, 0);
        else
            nvtxDomainRangePop(domain);
        nvtxRangePop();
        nvtxRangePop();
    }
    nvtxRangeId_t whole = nvtxRangeStartA("whole");
    launch(3);
    nvtxRangeEnd(whole);
}

static void *launch_in_thread(void *context)
{
    cuCtxSetCurrent(*(CUcontext *)context);
    launch(2);
    return context;
}

static void *end_in_thread(void *range)
{
    nvtxRangeEnd(*(nvtxRangeId_t *)range);
    return NULL;
}

static void join(void *(*act)(void *), void *context)
{
    pthread_t thread;
    pthread_create(&thread, NULL, act, context);
    pthread_join(thread, NULL);
}

/* Ranges with parameters: alone, inside one another and inside one of the same name, without a launch, across threads, the last of
 * several. */
static void cases(long count, long most)
{
    CUcontext context = NULL;
    start_cuda(0);
    cuCtxGetCurrent(&context);
    for (long i = 0; i < count; i++) {
        nvtxRangePushA("gemm M=512,N=64");
        launch(0);
        nvtxRangePushA("inside");
        launch(1);
        nvtxRangePop();
        nvtxRangePop();
        nvtxRangePushA("step größe=8");
        nvtxRangePushA("gemm M=512,N=64");
        nvtxRangePushA("gemm M=512,N=64");
        launch(1);
        nvtxRangePop();
        nvtxRangePop();
        launch(0);
        nvtxRangePop();
        nvtxRangePushA("empty B=1");
        nvtxRangePop();
        nvtxRangePushA("no parameters");
        launch(3);
        nvtxRangePop();
    }
    nvtxRangeId_t range = nvtxRangeStartA("threads B=2");
    join(launch_in_thread, &context);
    join(end_in_thread, &range);
    nvtxRangeId_t both[] = {nvtxRangeStartA("first of two C=1"), nvtxRangeStartA("last of two C=2")};
    join(launch_in_thread, &context);
    launch(2);
    nvtxRangeEnd(both[1]);
    launch(2);
    nvtxRangeEnd(both[0]);
    for (long i = 0; i < most; i++) {
        nvtxRangePushA("many i=1");
        nvtxRangePop();
    }
}

/* Ranges as PyTorch's emit_nvtx names them. */
static void operators(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    for (long i = 0; i < count; i++) {
        char name[256];
        snprintf(name, sizeof name,
                 "aten::mm, seq = %ld, op_id = %ld, sizes = [[512, 64], [64, %d]], input_op_ids = [(%ld,0), (2,0)]", i, 10 + i,
                 i % 2 ? 128 : 256, i);
        nvtxRangePushA(name);
        launch(0);
        snprintf(name, sizeof name, "aten::relu, op_id = %ld", 1000 + i);
        nvtxRangePushA(name);
        launch(1);
        nvtxRangePop();
        nvtxRangePop();
        nvtxRangePushA("attention, seq = 128");
        launch(2);
        nvtxRangePop();
    }
}

static void profiler(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    launch_many(count, 2);
    cuProfilerStart();
    launch_many(count, 3);
    cuProfilerStop();
    launch_many(count, 4);
}

/* CUDA is used in the child only, or (second) in the parent first, after which the child may not use it. */
static void forks(long first, long second)
{
    if (second)
        many(50, 1);
    for (long i = 0; i < first; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (!second)
                many(100, 2);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
}

/* Each process forks while ranges are open, before CUDA is used: the child is inside of them, and opens one more. */
static void forks_in_range(long children, long launches)
{
    const nvtxRangeId_t whole = nvtxRangeStartA("whole");
    nvtxRangePushA("outer");
    nvtxRangePushA("inner");
    for (long i = 0; i < children; i++) {
        pid_t child = fork();
        if (child == 0) {
            nvtxRangePushA("child");
            many(launches, 1);
            nvtxRangePop();
            nvtxRangePop();
            launch(1);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    many(launches, 1);
    nvtxRangePop();
    nvtxRangePop();
    launch(2);
    nvtxRangeEnd(whole);
}

static void children(long count, long unused)
{
    (void)unused;
    many(50, 1);
    for (long i = 0; i < count; i++) {
        pid_t child = fork();
        if (child == 0) {
            static char arguments[4][8] = {"program", "many", "60", "2"};
            execv("/proc/self/exe", (char *[]){arguments[0], arguments[1], arguments[2], arguments[3], NULL});
            _exit(98);
        }
        waitpid(child, NULL, 0);
    }
}

static void *launch_thread(void *unused)
{
    (void)unused;
    CUcontext context;
    cuCtxGetCurrent(&context);
    start_cuda(0);
    launch_many(1000, 3);
    return NULL;
}

static void threads(long count, long unused)
{
    (void)unused;
    pthread_t thread[16];
    cuInit(0);
    for (long i = 0; i < count; i++)
        pthread_create(&thread[i], NULL, launch_thread, NULL);
    for (long i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

static void gpus(long count, long unused)
{
    (void)unused;
    CUcontext contexts[2];
    cuInit(0);
    for (int i = 0; i < 2; i++)
        cuCtxCreate_v2(&contexts[i], 0, i);
    for (long i = 0; i < count; i++) {
        cuCtxSetCurrent(contexts[i % 2]);
        launch(i % 2 ? 1 : 0);
    }
    cuCtxDestroy_v2(contexts[0]);
}

/* Two contexts on one GPU, one of which is destroyed; launches on default streams of threads. */
static void contexts(long count, long unused)
{
    (void)unused;
    CUcontext both[2];
    cuInit(0);
    for (int i = 0; i < 2; i++)
        cuCtxCreate_v2(&both[i], 0, 0);
    for (long i = 0; i < count; i++) {
        cuCtxSetCurrent(both[i / 50 % 2]);
        cuLaunchKernel_ptsz((CUfunction)(uintptr_t)&kernels[i % 3], 64, 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
        pause_after(i);
    }
    cuCtxDestroy_v2(both[1]);
}

/* A graph of so many launches of the kernel, captured. */
static CUgraphExec captured(const struct stand_in_kernel *kernel, int launches, void **arguments, CUstream *stream)
{
    CUgraph graph;
    CUgraphExec executable;
    cuStreamCreate(stream, 0);
    cuStreamBeginCapture_v2(*stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    for (int i = 0; i < launches; i++) /* recorded, not run */
        cuLaunchKernel((CUfunction)(uintptr_t)kernel, 64, 1, 1, 128, 1, 1, 0, *stream, arguments, NULL);
    cuStreamEndCapture(*stream, &graph);
    cuGraphInstantiateWithFlags(&executable, graph, 0);
    return executable;
}

/* Before which a capture of so many milliseconds is begun at once. */
static void graphs(long count, long capture_ms)
{
    CUstream stream, other;
    CUgraph none;
    start_cuda(0);
    if (capture_ms) {
        cuStreamCreate(&other, 0);
        cuStreamBeginCapture_v2(other, CU_STREAM_CAPTURE_MODE_GLOBAL);
        usleep((useconds_t)capture_ms * 1000);
        cuStreamEndCapture(other, &none);
    }
    CUgraphExec executable = captured(&kernels[4], 3, NULL, &stream);
    for (long i = 0; i < count; i++) {
        cuGraphLaunch(executable, stream);
        pause_after(i);
    }
    launch_many(100, 1);
}

/* So many launches of one kernel, a thousand in ten milliseconds or more, and then a quarter as many of another one. */
static void phases(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    for (long i = 0; i < count + count / 4; i++) {
        launch(i < count ? 0 : 1);
        if (i % 1000 == 999)
            usleep(8000);
    }
}

/* So many launches one after the other, and then a graph of one kernel, launched so many times. */
static void rate_and_graphs(long count, long graph_launches)
{
    static const struct stand_in_kernel kernel = {"_Z8in_graphPf", 2000, 2000, STAND_IN_COUNTS};
    CUstream stream;
    start_cuda(0);
    launch_many(count, 2);
    CUgraphExec executable = captured(&kernel, 1, NULL, &stream);
    for (long i = 0; i < graph_launches; i++)
        cuGraphLaunch(executable, stream);
    cuCtxSynchronize();
}

/* So many kernels, each launched three times after a graph, and half of them after a pause in which nothing is launched. */
static void among_graphs(long count, long pause_ms)
{
    static const struct stand_in_kernel kernel = {"_Z8in_graphPf", 2000, 2000, STAND_IN_COUNTS};
    CUstream stream;
    start_cuda(0);
    CUgraphExec executable = captured(&kernel, 1, NULL, &stream);
    for (long i = 0; i < 3 * count; i++) {
        cuGraphLaunch(executable, stream);
        cuLaunchKernel((CUfunction)(uintptr_t)&kernels[0], (unsigned)(1 + i / 3), 1, 1, 128, 1, 1, 0, NULL, NULL, NULL);
        cuCtxSynchronize();
        usleep(i == 3 * (count / 2) ? (useconds_t)pause_ms * 1000 : 8000);
    }
}

/* A graph of eight kernels that take their time, launched so many times with pauses between; nothing is launched by itself. */
static void graph_rounds(long count, long unused)
{
    (void)unused;
    static const struct stand_in_kernel kernel = {"_Z8replayedPf", 0, 2000, STAND_IN_WORKS};
    uint64_t ns = 300000;
    CUstream stream;
    start_cuda(0);
    usleep(500000);
    CUgraphExec executable = captured(&kernel, 8, (void *[]){&ns}, &stream);
    for (long i = 0; i < count; i++) {
        cuGraphLaunch(executable, stream);
        cuCtxSynchronize();
        usleep(5000);
    }
}

/* A graph of eight kernels, launched so many times as fast as the queue takes them. */
static void graph_queue(long count, long unused)
{
    (void)unused;
    static const struct stand_in_kernel kernel = {"_Z6queuedPf", 0, 2000, STAND_IN_WORKS};
    uint64_t ns = 100000;
    CUstream stream;
    start_cuda(0);
    CUgraphExec executable = captured(&kernel, 8, (void *[]){&ns}, &stream);
    for (long i = 0; i < count; i++)
        cuGraphLaunch(executable, stream);
    cuCtxSynchronize();
}

static CUDA_KERNEL_NODE_PARAMS store_of(void **arguments)
{
    static const struct stand_in_kernel kernel = {"_Z6storesPjj", 0, 3000, STAND_IN_STORES};
    return (CUDA_KERNEL_NODE_PARAMS){.func = (CUfunction)(uintptr_t)&kernel,
                                     .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = 32,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = arguments};
}

static CUgraphNode add_store(CUgraph graph, const CUgraphNode *dependencies, size_t count, uint32_t *word, uint32_t value)
{
    CUgraphNode node;
    CUDA_KERNEL_NODE_PARAMS params = store_of((void *[]){&word, &value});
    cuCtxGetCurrent(&params.ctx);
    cuGraphAddKernelNode_v2(&node, graph, dependencies, count, &params);
    return node;
}

static void set_store(CUgraphExec executable, CUgraphNode node, uint32_t *word, uint32_t value)
{
    const CUDA_KERNEL_NODE_PARAMS params = store_of((void *[]){&word, &value});
    cuGraphExecKernelNodeSetParams_v2(executable, node, &params);
}

enum { WORDS = 4, CHAIN = 0, BRANCHES = 1, TWO_CONTEXTS = 2, BOTH_IN_TURN = 3 };
static uint32_t words[WORDS];

/* Kernels that store numbers into words, one after another, with an edge over one of them; BRANCHES: the second and the third
 * beside one another; TWO_CONTEXTS: the third in another context. `nodes[0]` is the first. */
static CUgraph store_graph(long kind, uint32_t first, CUgraphNode nodes[WORDS])
{
    CUgraph graph;
    CUcontext own, other;
    cuGraphCreate(&graph, 0);
    nodes[0] = add_store(graph, NULL, 0, &words[0], first);
    nodes[1] = add_store(graph, nodes, 1, &words[1], 8);
    cuCtxGetCurrent(&own);
    if (kind == TWO_CONTEXTS)
        cuCtxCreate_v2(&other, 0, 0);
    nodes[2] = add_store(graph, nodes, kind == BRANCHES ? 1 : 2, &words[2], 9);
    cuCtxSetCurrent(own);
    nodes[3] = add_store(graph, nodes + 1, 2, &words[3], 10);
    return graph;
}

/* What the first kernel stores changes with each launch, by setting that kernel, and in every tenth round of a chain by another
 * graph that takes its place. BOTH_IN_TURN: a chain, and a graph with branches, as they are. Ends with status 3 when a word has the
 * wrong number. */
static void graph_stores(long count, long kind)
{
    CUgraphExec executable, second;
    CUgraphNode nodes[WORDS], others[WORDS];
    CUgraphExecUpdateResultInfo result = {0};
    start_cuda(0);
    CUgraph graph = store_graph(kind, 0, nodes);
    cuGraphInstantiateWithFlags(&executable, graph, 0);
    cuGraphInstantiateWithFlags(&second, store_graph(BRANCHES, 0, others), 0);
    for (long i = 0; i < count; i++) {
        const uint32_t wanted = kind == BOTH_IN_TURN ? 0 : (uint32_t)i;
        if (kind == CHAIN && i % 10 == 9)
            cuGraphExecUpdate_v2(executable, store_graph(kind, wanted, others), &result);
        if (kind == CHAIN && i % 10 == 0 && i > 0)
            cuGraphExecUpdate_v2(executable, graph, &result);
        if (kind != BOTH_IN_TURN && (kind != CHAIN || i % 10 != 9))
            set_store(executable, nodes[0], &words[0], wanted);
        memset(words, 0xff, sizeof words);
        cuGraphLaunch(kind == BOTH_IN_TURN && i % 2 ? second : executable, NULL);
        cuCtxSynchronize();
        if (words[0] != wanted || words[1] != 8 || words[2] != 9 || words[3] != 10)
            exit(3);
        usleep(1000);
    }
    cuGraphDestroy(graph);
    cuGraphExecDestroy(executable);
}

static void clusters(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    CUlaunchConfig config = {.gridDimX = 8, .gridDimY = 2, .gridDimZ = 1, .blockDimX = 64, .blockDimY = 1, .blockDimZ = 1};
    for (long i = 0; i < count; i++)
        cuLaunchKernelEx(&config, (CUfunction)(uintptr_t)&kernels[5], NULL, NULL);
}

static void copies(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    for (long i = 0; i < count; i++)
        cuMemcpyHtoD_v2(0, "", 4 << 20);
    cuMemcpyHtoD_v2(0, "", 4);
    launch(0);
}

/* Waits for each kernel, and does something else for `pause` us before it launches the next one. */
static void paces(long count, long pause)
{
    const struct timespec moment = {.tv_nsec = 1000 * pause};
    start_cuda(0);
    for (long i = 0; i < count; i++) {
        nvtxRangePushA(i < count / 2 ? "prefill" : "decode");
        launch(0);
        cuCtxSynchronize();
        nanosleep(&moment, NULL);
        nvtxRangePop();
    }
    cuMemcpyHtoD_v2(0, "", 4 << 20);
    launch(1);
}

static void collectives(long count, long unused)
{
    (void)unused;
    start_cuda(0);
    for (long i = 0; i < count; i++) {
        launch_on(&collective, NULL);
        launch(0);
        pause_after(i);
    }
}

static const struct {
    const char *name;
    void (*run)(long, long);
} ways[] = {
    {"many", many},
    {"timed", timed},
    {"pauses", pauses},
    {"sampled", sampled},
    {"allocates", allocates},
    {"copies_first", copies_first},
    {"loads_first", loads_first},
    {"ends_after", ends_after},
    {"ended_after", ended_after},
    {"late", late},
    {"early", early},
    {"sizes", sizes},
    {"host_calls", host_calls},
    {"among_graphs", among_graphs},
    {"timed_behind", timed_behind},
    {"wavefront", wavefront},
    {"lasting", lasting},
    {"lazy", lazy},
    {"resting", resting},
    {"relay", relay},
    {"flood", flood},
    {"crowded", crowded},
    {"two_kinds", two_kinds},
    {"two_times", two_times},
    {"growing", growing},
    {"doubling", doubling},
    {"renamed", renamed},
    {"skewed", skewed},
    {"warming", warming},
    {"idle", idle},
    {"nothing", nothing},
    {"status", status},
    {"_exit", underscore_exit},
    {"signal", by_signal},
    {"wait", wait_for_signal},
    {"nap", nap},
    {"limit", limit},
    {"starved", starved},
    {"sealed", sealed},
    {"ranges", ranges},
    {"cases", cases},
    {"operators", operators},
    {"profiler", profiler},
    {"forks", forks},
    {"forks_in_range", forks_in_range},
    {"children", children},
    {"threads", threads},
    {"contexts", contexts},
    {"gpus", gpus},
    {"graphs", graphs},
    {"phases", phases},
    {"rate_and_graphs", rate_and_graphs},
    {"graph_rounds", graph_rounds},
    {"graph_queue", graph_queue},
    {"graph_stores", graph_stores},
    {"clusters", clusters},
    {"copies", copies},
    {"paces", paces},
    {"collectives", collectives},
};

int main(int argc, char **argv)
{
    const char *every = getenv("RL_PAUSE_EVERY");
    if (every)
        pause_every = strtol(every, NULL, 10);
    name_kernels();
    printf("out\n");
    fprintf(stderr, "err\n");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && argc > 1; i++)
        if (strcmp(argv[1], ways[i].name) == 0) {
            ways[i].run(argc > 2 ? strtol(argv[2], NULL, 10) : 0, argc > 3 ? strtol(argv[3], NULL, 10) : 0);
            return 0;
        }
    return 2;
}

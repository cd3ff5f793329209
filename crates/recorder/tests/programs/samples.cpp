// What samples could disturb: messages, teams, children, libraries that come and go, exceptions, jumps, and signals of the
// program's own. With -DLIBRARY, the library. Ends with 0 if all went as without samples.
#ifdef LIBRARY
extern "C" double in_library(int rounds) {
    volatile double x = 1;
    for (int i = 0; i < rounds; i++)
        x = x * 1.0000001 + 1e-9;
    return x;
}
#else
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failures;
#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "samples.cpp:%d: not so: %s\n", __LINE__, #what);                                          \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

__attribute__((noinline)) static double work(int rounds) {
    volatile double x = 1;
    for (int i = 0; i < rounds; i++)
        x = x * 1.0000001 + 1e-9;
    return x;
}

__attribute__((noinline)) static double deeper(int depth) {
    return depth == 0 ? work(20000) : deeper(depth - 1) + work(100);
}

static void libraries(const char *library) {
    for (int i = 0; i < 10; i++) {
        void *handle = dlopen(library, RTLD_NOW);
        CHECK(handle != nullptr);
        auto in_library = reinterpret_cast<double (*)(int)>(dlsym(handle, "in_library"));
        CHECK(in_library(400000) > 1);
        dlclose(handle);
    }
}

__attribute__((noinline)) static void throws(int depth) {
    char *memory = strdup("freed by nobody but the end");
    work(20000);
    free(memory);
    if (depth == 0)
        throw std::runtime_error("thrown");
    throws(depth - 1);
}

static void exceptions() {
    int caught = 0;
    for (int i = 0; i < 50; i++) {
        try {
            throws(20);
        } catch (const std::runtime_error &) {
            caught++;
        }
    }
    CHECK(caught == 50);
}

static void jumps() {
    static jmp_buf target;
    volatile int jumped = 0;
    for (volatile int i = 0; i < 50; i++) {
        if (setjmp(target) == 0) {
            deeper(30);
            longjmp(target, 1);
        }
        jumped = jumped + 1;
    }
    CHECK(jumped == 50);
}

static void children() {
    for (int i = 0; i < 6; i++) {
        pid_t child = fork();
        if (child == 0) {
            work(3000000);
            if (i % 2 == 0)
                execlp("true", "true", (char *)nullptr);
            _exit(0);
        }
        work(1000000);
        int status = 1;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    CHECK(system("true") == 0);
}

static volatile sig_atomic_t alarms, queued;
static void on_alarm(int) { alarms = alarms + 1; }
static void on_queued(int) { queued = queued + 1; }

static void signals() {
    struct sigaction action = {};
    action.sa_handler = on_alarm;
    action.sa_flags = SA_RESTART;
    CHECK(sigaction(SIGALRM, &action, nullptr) == 0);
    action.sa_handler = on_queued;
    CHECK(sigaction(SIGRTMIN, &action, nullptr) == 0);
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, nullptr, &timer) == 0);
    struct itimerspec every = {{0, 3000000}, {0, 3000000}};
    CHECK(timer_settime(timer, 0, &every, nullptr) == 0);
    int sent = 0;
    for (int i = 0; i < 200; i++) {
        work(50000);
        sent += sigqueue(getpid(), SIGRTMIN, sigval{}) == 0;
    }
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        work(10000);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((queued < sent || alarms == 0) && now.tv_sec - begin.tv_sec < 10);
    CHECK(queued == sent && sent == 200);
    CHECK(alarms > 0);
    timer_delete(timer);
}

static void *thread(void *) {
    work(2000000);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work(2000000);
    return nullptr;
}

static void threads() {
    for (int i = 0; i < 4; i++) {
        pthread_t other;
        CHECK(pthread_create(&other, nullptr, thread, nullptr) == 0);
        work(1000000);
        CHECK(pthread_join(other, nullptr) == 0);
    }
}

static void teams() {
    double sum = 0;
    for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
        {
            sum += work(200000) > 1;
#pragma omp barrier
#pragma omp critical
            work(10000);
        }
    }
    CHECK(sum == 60);
}

static void messages(int rank, int ranks) {
    for (int i = 0; i < 200; i++) {
        int sent = i * ranks + rank, got = -1, all = 0;
        work(10000 * (1 + rank));
        MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % ranks, i, &got, 1, MPI_INT, (rank + ranks - 1) % ranks, i,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(got == i * ranks + (rank + ranks - 1) % ranks);
        MPI_Allreduce(&sent, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK(all == i * ranks * ranks + ranks * (ranks - 1) / 2);
    }
}

int main(int argc, char **argv) {
    int provided, rank, ranks;
    work(3000000);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    messages(rank, ranks);
    teams();
    libraries(argv[1]);
    exceptions();
    jumps();
    children();
    signals();
    if (provided == MPI_THREAD_MULTIPLE)
        threads();
    MPI_Finalize();
    work(3000000);
    return failures != 0;
}
#endif

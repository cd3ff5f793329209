/* Functions that the compiler has instrumented: recursion, short ones, one that leads to MPI now and then, jumps, a thread that
   ends in one, recording switched off, and handlers of signals. 2 ranks. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static jmp_buf back;
static volatile double kept;
static volatile int handled;

static void norm(int value) { kept += value * (double)value; }

static void exchange(int round) {
    if (round % 5000 == 4999)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void descend(int depth) {
    if (depth > 0)
        descend(depth - 1);
    else
        MPI_Barrier(MPI_COMM_SELF);
}

__attribute__((noinline)) static void jump(void) { longjmp(back, 1); }

__attribute__((noinline)) static void left(void) { jump(); }

static void *on_thread(void *nothing) {
    descend(1);
    pthread_exit(nothing);
}

static void unseen(void) { kept++; }

static void seen(void) {
    MPI_Pcontrol(0);
    unseen();
}

static void on_signal(int number) { handled += number > 0; }

static void handle(void) {
    /* Many of the signals interrupt the recorder. */
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
    event._sigev_un._tid = syscall(SYS_gettid);
    struct itimerspec often = {{0, 50000}, {0, 50000}}, never = {{0, 0}, {0, 0}};
    signal(SIGRTMIN, on_signal);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &often, NULL);
    for (int call = 0; handled < 200; call++)
        norm(call);
    timer_settime(timer, 0, &never, NULL);
}

int main(int argc, char **argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    descend(2);
    if (!setjmp(back))
        left();
    descend(0);
    pthread_create(&thread, NULL, on_thread, NULL);
    pthread_join(thread, NULL);
    seen();
    MPI_Pcontrol(1);
    if (argc > 1) {
        handle();
    } else {
        for (int call = 0; call < 1000000; call++)
            norm(call);
        for (int round = 0; round < 20000; round++)
            exchange(round);
    }
    MPI_Finalize();
    return 0;
}

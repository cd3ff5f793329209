/* What calls cost: so many of one kind, in nanoseconds of processor time of this thread. 1 rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM_UP = 1000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

#define MEASURE(name, call)                                                                                            \
    do {                                                                                                               \
        if (strcmp(kind, name) == 0) {                                                                                 \
            for (int i = 0; i < WARM_UP; i++) {                                                                        \
                call;                                                                                                  \
            }                                                                                                          \
            double start = now();                                                                                      \
            for (int i = 0; i < calls; i++) {                                                                          \
                call;                                                                                                  \
            }                                                                                                          \
            printf("%.0f\n", now() - start);                                                                           \
        }                                                                                                              \
    } while (0)

static volatile int sink;

static void critical(void) {
#pragma omp critical
    sink++;
}

static void region(void) {
#pragma omp parallel num_threads(1)
    sink++;
}

static void measure(const char *kind, int calls) {
    int out = 0, in, rank;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request requests[2];
    MEASURE("MPI_Comm_rank", MPI_Comm_rank(world, &rank));
    MEASURE("MPI_Sendrecv", MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE));
    MEASURE("MPI_Isend-Irecv-Waitall", {
        MPI_Irecv(&in, 1, MPI_INT, 0, 0, world, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, 0, 0, world, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    });
    MEASURE("MPI_Ibarrier-Wait", {
        MPI_Ibarrier(world, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    });
    /* Nothing is ever sent to it. */
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, world, &requests[0]);
    MEASURE("MPI_Test-in-vain", MPI_Test(&requests[0], &rank, MPI_STATUS_IGNORE));
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MEASURE("critical", critical());
    MEASURE("parallel-region", region());
    if (strcmp(kind, "critical-in-a-team") == 0) {
#pragma omp parallel num_threads(2)
        {
#pragma omp master
            MEASURE("critical-in-a-team", critical());
        }
    }
}

/* Calls `measure` that many functions below this one. */
__attribute__((noinline)) static void nested(int depth, const char *kind, int calls) {
    depth == 0 ? measure(kind, calls) : nested(depth - 1, kind, calls);
    __asm__ volatile(""); /* no tail call */
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: calls KIND CALLS\n");
        return 2;
    }
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    nested(7, argv[1], atoi(argv[2]));
    MPI_Finalize();
    return 0;
}

/* What calls cost: nanoseconds of processor time of this thread, the fastest and the median of several rounds, one line for
   each kind of call with the number of events that it is recorded with. 1 rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 10000, ROUNDS = 15 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static int rising(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static void report(const char *name, int events, double rounds[ROUNDS]) {
    qsort(rounds, ROUNDS, sizeof *rounds, rising);
    printf("%s %d %f %f\n", name, events, rounds[0] / CALLS, rounds[ROUNDS / 2] / CALLS);
}

#define MEASURE(name, events, call)                                                                                    \
    do {                                                                                                               \
        double rounds[ROUNDS];                                                                                         \
        for (int round = 0; round < ROUNDS; round++) {                                                                 \
            double start = now();                                                                                      \
            for (int i = 0; i < CALLS; i++) {                                                                          \
                call;                                                                                                  \
            }                                                                                                          \
            rounds[round] = now() - start;                                                                             \
        }                                                                                                              \
        report(name, events, rounds);                                                                                  \
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

int main(int argc, char **argv) {
    int provided, out = 0, in, rank;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request requests[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MEASURE("MPI_Comm_rank", 2, MPI_Comm_rank(world, &rank));
    MEASURE("MPI_Sendrecv", 4, MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE));
    MEASURE("MPI_Isend-Irecv-Waitall", 10, {
        MPI_Irecv(&in, 1, MPI_INT, 0, 0, world, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, 0, 0, world, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    });
    MEASURE("critical", 3, critical());
    MEASURE("parallel-region", 4, region());
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        MEASURE("critical-in-a-team", 3, critical());
    }
    MPI_Finalize();
    return 0;
}

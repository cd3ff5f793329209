/* Parallel regions, in a program or in a library that an interpreter loads: in each, thread 0 is so many milliseconds
   late to the implicit barrier. It prints the seconds that the threads wait: on a busy
   machine thread 1 may be the late one.
   Right: wait_at_implicit_omp_barrier, all of it. With MPI, a barrier that no rank waits in. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include "work.h"
#ifdef WITH_MPI
#include <mpi.h>
#endif
double region(int ms) {
    double came[2] = {0, 0};
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) spin_ms(ms);
        came[omp_get_thread_num()] = omp_get_wtime();
    }
    return fabs(came[0] - came[1]);
}
int main(int argc, char **argv) {
    double waited = 0;
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    for (int at = 1; at < argc; at++) waited += region(atoi(argv[at]));
    printf("%f\n", waited);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}

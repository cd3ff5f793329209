/* A program whose OpenMP runtime ends before it does, if its first argument is "pause", and two parallel regions. With a
   second argument it is one of MPI. */
#include <mpi.h>
#include <omp.h>
#include <string.h>
#include <unistd.h>

static void region(void) {
#pragma omp parallel num_threads(2)
    usleep(1000);
}

int main(int argc, char **argv) {
    if (argc > 2)
        MPI_Init(&argc, &argv);
    region();
    if (!strcmp(argv[1], "pause"))
        omp_pause_resource_all(omp_pause_hard);
    usleep(5000);
    region();
    if (argc > 2)
        MPI_Finalize();
    return 0;
}

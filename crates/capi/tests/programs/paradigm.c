/* An empty composition of every paradigm in turn, by its name: whether it has MPI, and how many threads. */
#include <ats.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    ats_paradigm_t paradigm = ATS_MPI;
    int has_mpi;
    if (argc > 1 && strcmp(argv[1], "openmp") == 0) paradigm = ATS_OPENMP;
    if (argc > 1 && strcmp(argv[1], "hybrid") == 0) paradigm = ATS_HYBRID;
    if (argc > 1 && strcmp(argv[1], "sequential") == 0) paradigm = ATS_SEQUENTIAL;
    ats_begin_composition(1, argv, "empty", "Nothing.", paradigm, 1, 3, 0, 0);
    MPI_Initialized(&has_mpi);
    printf("MPI: %d, threads: %d\n", has_mpi, omp_get_max_threads());
    ats_begin_measured();
    ats_end_measured();
    return ats_end();
}

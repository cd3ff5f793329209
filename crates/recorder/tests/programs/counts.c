/* Counts in regions, between calls, while recording is off, and on the threads of a team; ranks meet other counters first. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stddef.h>

int main(int argc, char **argv) {
    void (*enter)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_enter");
    void (*leave)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_leave");
    void (*count)(const char *, uint64_t) = dlsym(RTLD_DEFAULT, "ats_region_count");
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    count(NULL, 5);
    enter("outer");
    if (rank == 1)
        count("faces", 40);
    for (int i = 0; i < 1000; i++)
        count("cells", 2);
    enter("inner");
    count("cells", 3);
    MPI_Barrier(MPI_COMM_WORLD);
    count("cells", UINT64_C(1) << 40);
    leave("inner");
    MPI_Pcontrol(0);
    count("cells", 17);
    MPI_Pcontrol(1);
    count("faces", 1);
    leave("outer");
    MPI_Finalize();
    return 0;
}

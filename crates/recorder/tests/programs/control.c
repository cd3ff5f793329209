/* Switches recording off and on, with requests, a communicator and regions from one side to the other. With an argument it
   is off at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

static int rank, out, in;
static MPI_Request requests[2];

static void start(int tag) {
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, &requests[1]);
}

static void complete(void) { MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); }

int main(int argc, char **argv) {
    void (*enter)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_enter");
    void (*leave)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_leave");
    void (*measure)(int) = dlsym(RTLD_DEFAULT, "ats_measure");
    MPI_Comm made;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enter("before");
    start(1);
    MPI_Pcontrol(0);
    complete();
    leave("before");
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    MPI_Comm_set_name(made, "made");
    MPI_Bcast(&out, 1, MPI_INT, 0, made);
    enter("within");
    start(2);
    MPI_Pcontrol(2, "a name");
    complete();
    leave("within");
    MPI_Pcontrol(-1);
    MPI_Barrier(made);
    measure(0);
    measure(1);
    start(3);
    complete();
    if (argc > 1)
        MPI_Pcontrol(0);
    MPI_Finalize();
    return 0;
}

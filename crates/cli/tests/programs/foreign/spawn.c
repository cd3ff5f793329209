/* Two processes, one of which comes 0.1 s late to MPI_Barrier, spawn two more. All four merge into one communicator and meet
 * in a barrier on it. Right: the trace has two
 * processes, the parents, and 0.1 s of waiting in MPI_Barrier. */
#include <mpi.h>
#include "work.h"

int main(int argc, char **argv) {
    MPI_Comm parent, spawned, all;
    int rank, value = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        if (rank == 0)
            spin_ms(100);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &spawned, MPI_ERRCODES_IGNORE);
        if (rank == 0)
            MPI_Send(&value, 1, MPI_INT, 0, 1, spawned);
    } else {
        spawned = parent;
        if (rank == 0)
            MPI_Recv(&value, 1, MPI_INT, 0, 1, parent, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Intercomm_merge(spawned, parent == MPI_COMM_NULL, &all);
    MPI_Barrier(all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&spawned);
    MPI_Finalize();
    return 0;
}

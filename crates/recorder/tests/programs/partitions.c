/* Messages in partitions: each rank sends to the one above it, twice by one request. 4 ranks. */
#include <mpi.h>

static int rank, size, out[8], in[8];
static const MPI_Comm world = MPI_COMM_WORLD;

int main(int argc, char **argv) {
    MPI_Request q[2];
    int flag, list[] = {2, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Precv_init(in, 2, 4, MPI_INT, (rank + size - 1) % size, 1, world, MPI_INFO_NULL, &q[0]);
    MPI_Psend_init(out, 4, 2, MPI_INT, (rank + 1) % size, 1, world, MPI_INFO_NULL, &q[1]);

    MPI_Startall(2, q);
    MPI_Pready(1, q[1]);
    MPI_Pready(4, q[1]);
    MPI_Test(&q[1], &flag, MPI_STATUS_IGNORE);
    MPI_Pready_list(2, list, q[1]);
    MPI_Pready(3, q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);

    MPI_Start(&q[1]);
    MPI_Pready_range(0, 2, q[1]);
    MPI_Pready(3, q[1]);
    MPI_Start(&q[0]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    MPI_Parrived(q[0], 0, &flag);
    MPI_Wait(&q[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    MPI_Finalize();
    return 0;
}

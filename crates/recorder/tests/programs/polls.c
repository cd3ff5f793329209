/* Requests that are tested in vain by rank 1: rank 0 does its part only when it is told to. 4 ranks. */
#include <mpi.h>

static int rank, in[2], go = 1;
static const MPI_Comm world = MPI_COMM_WORLD;

static void let_go(void) { MPI_Send(&go, 1, MPI_INT, 0, 9, world); }
static void await_it(void) { MPI_Recv(&go, 1, MPI_INT, 1, 9, world, MPI_STATUS_IGNORE); }

static void one(void) {
    MPI_Request q;
    int flag;
    MPI_Irecv(&in[0], 1, MPI_INT, 0, 1, world, &q);
    for (int i = 0; i < 3; i++)
        MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
    let_go();
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void several(void) {
    MPI_Request q[2], mixed[2];
    int flag, index, found, indices[2];
    MPI_Irecv(&in[0], 1, MPI_INT, 0, 1, world, &q[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, 0, 1, world, &q[1]);
    MPI_Testall(2, q, &flag, MPI_STATUSES_IGNORE);
    MPI_Testany(2, q, &index, &flag, MPI_STATUS_IGNORE);
    MPI_Testsome(2, q, &found, indices, MPI_STATUSES_IGNORE);
    /* One of two is complete. */
    mixed[0] = q[1];
    MPI_Isend(&go, 1, MPI_INT, MPI_PROC_NULL, 2, world, &mixed[1]);
    MPI_Testsome(2, mixed, &found, indices, MPI_STATUSES_IGNORE);
    let_go();
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

static void barrier(void) {
    MPI_Request q;
    int flag;
    MPI_Ibarrier(world, &q);
    for (int i = 0; i < 2; i++)
        MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
    let_go();
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void many(void) {
    MPI_Request q;
    int flag;
    MPI_Irecv(&in[0], 1, MPI_INT, 0, 1, world, &q);
    for (int i = 0; i < 10000; i++)
        MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
    let_go();
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    if (rank == 0) {
        for (int part = 0; part < 3 + argc - 1; part++) {
            await_it();
            if (part == 2) {
                MPI_Request q;
                MPI_Ibarrier(world, &q);
                MPI_Wait(&q, MPI_STATUS_IGNORE);
                continue;
            }
            for (int i = 0; i < (part == 1 ? 2 : 1); i++)
                MPI_Send(&go, 1, MPI_INT, 1, 1, world);
        }
    } else if (rank == 1) {
        one();
        several();
        barrier();
        if (argc > 1)
            many();
    } else {
        MPI_Request q;
        MPI_Ibarrier(world, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

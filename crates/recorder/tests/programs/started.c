/* Collective operations that requests stand for: non-blocking, persistent, and duplicates of communicators. 4 ranks. */
#include <mpi.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Barrier_init MPIX_Barrier_init
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Gatherv_init MPIX_Gatherv_init
#endif

static int rank, size, one, all[16], more[16], counts[4] = {1, 2, 3, 4}, at[4] = {0, 1, 3, 6};
static const MPI_Comm world = MPI_COMM_WORLD;

static void wait(MPI_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

static void each_operation(void) {
    MPI_Request q;
    MPI_Ibarrier(world, &q), wait(&q);
    MPI_Ibcast(&one, 1, MPI_INT, 1, world, &q), wait(&q);
    MPI_Igather(&one, 1, MPI_INT, all, 1, MPI_INT, 1, world, &q), wait(&q);
    MPI_Igatherv(more, rank + 1, MPI_INT, all, rank == 1 ? counts : 0, at, MPI_INT, 1, world, &q), wait(&q);
    MPI_Iscatter(all, 1, MPI_INT, &one, 1, MPI_INT, 1, world, &q), wait(&q);
    MPI_Iscatterv(all, counts, at, MPI_INT, more, rank + 1, MPI_INT, 1, world, &q), wait(&q);
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, world, &q), wait(&q);
    MPI_Iallgatherv(more, rank + 1, MPI_INT, all, counts, at, MPI_INT, world, &q), wait(&q);
    MPI_Ialltoall(all, 2, MPI_INT, more, 2, MPI_INT, world, &q), wait(&q);
    MPI_Ireduce(&one, all, 1, MPI_INT, MPI_SUM, 1, world, &q), wait(&q);
    MPI_Iallreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, world, &q), wait(&q);
    MPI_Ireduce_scatter(all, more, counts, MPI_INT, MPI_SUM, world, &q), wait(&q);
    MPI_Ireduce_scatter_block(all, more, 1, MPI_INT, MPI_SUM, world, &q), wait(&q);
    MPI_Iscan(&one, more, 1, MPI_INT, MPI_SUM, world, &q), wait(&q);
    MPI_Iexscan(&one, more, 1, MPI_INT, MPI_SUM, world, &q), wait(&q);
}

static void several(void) {
    MPI_Request q[3];
    int index, found, indices[3], flag = 0, in = 0;
    MPI_Ibarrier(world, &q[0]);
    MPI_Iallreduce(&rank, &one, 1, MPI_INT, MPI_SUM, world, &q[1]);
    MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1, world, &q[2]);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 1, world);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    MPI_Ibarrier(world, &q[0]);
    MPI_Waitany(1, q, &index, MPI_STATUS_IGNORE);
    MPI_Ibarrier(world, &q[0]);
    MPI_Waitsome(1, q, &found, indices, MPI_STATUSES_IGNORE);
    MPI_Ibarrier(MPI_COMM_SELF, &q[0]);
    MPI_Ibarrier(MPI_COMM_SELF, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

static void persistent(void) {
    MPI_Request q[2];
    MPI_Barrier_init(world, MPI_INFO_NULL, &q[0]);
    MPI_Allreduce_init(&rank, &one, 1, MPI_INT, MPI_SUM, world, MPI_INFO_NULL, &q[1]);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Start(&q[0]);
    wait(&q[0]);
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    MPI_Gatherv_init(more, rank + 1, MPI_INT, all, counts, at, MPI_INT, 1, world, MPI_INFO_NULL, &q[0]);
    MPI_Request_free(&q[0]);
}

static void duplicates(void) {
    MPI_Comm copies[2];
    MPI_Request q[2];
    MPI_Comm_idup(world, &copies[0], &q[0]);
    MPI_Comm_idup(world, &copies[1], &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Comm_set_name(copies[1], "second");
    MPI_Ibarrier(copies[1], &q[0]), wait(&q[0]);
    MPI_Comm_free(&copies[0]);
    MPI_Comm_free(&copies[1]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    each_operation();
    several();
    persistent();
    duplicates();
    MPI_Finalize();
    return 0;
}

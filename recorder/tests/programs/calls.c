/* One call of each kind that is recorded in a way of its own. 4 ranks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void mark(const char *function, const char *region) {
    void (*call)(const char *) = (void (*)(const char *))dlsym(RTLD_DEFAULT, function);
    if (call)
        call(region);
}
static void enter(const char *region) { mark("ats_region_enter", region); }
static void leave(const char *region) { mark("ats_region_leave", region); }

static int rank, size, above, below;

static void blocking(void) {
    int a[2] = {rank, 0}, b[2];
    enter("blocking");
    if (rank % 2 == 0)
        MPI_Ssend(a, 2, MPI_INT, above, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(b, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a, 1, MPI_INT, above, 2, b, 2, MPI_INT, below, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(a, 2, MPI_INT, above, 3, below, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(a, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD);
    MPI_Recv(a, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    leave("blocking");
}

static void nonblocking(void) {
    int out[3] = {rank, rank, rank}, in[3], flag = 0, index, found, indices[3];
    MPI_Request q[3];
    enter("nonblocking");
    MPI_Irecv(in, 3, MPI_INT, below, 5, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(out, 3, MPI_INT, above, 5, MPI_COMM_WORLD, &q[1]);
    MPI_Irecv(in, 3, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &q[2]);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);

    MPI_Irecv(in, 3, MPI_INT, below, 6, MPI_COMM_WORLD, &q[0]);
    MPI_Ssend(out, 0, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD);
    MPI_Issend(out, 2, MPI_INT, above, 6, MPI_COMM_WORLD, &q[1]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    MPI_Waitany(2, q, &index, MPI_STATUS_IGNORE);

    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &q[0]);
    MPI_Cancel(&q[0]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);

    MPI_Ibarrier(MPI_COMM_WORLD, &q[0]);
    MPI_Waitsome(1, q, &found, indices, MPI_STATUSES_IGNORE);

    MPI_Send_init(out, 1, MPI_INT, above, 7, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init(in, 1, MPI_INT, below, 7, MPI_COMM_WORLD, &q[1]);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    leave("nonblocking");
}

static void probed(void) {
    int out = rank, in, flag = 0;
    MPI_Message message;
    MPI_Request q;
    enter("probed");
    MPI_Send(&out, 1, MPI_INT, above, 9, MPI_COMM_WORLD);
    MPI_Mprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 9, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 9, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(&in, 1, MPI_INT, &message, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Send(&out, 1, MPI_INT, above, 10, MPI_COMM_WORLD);
    MPI_Probe(below, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Improbe(below, 10, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(&in, 1, MPI_INT, &message, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    leave("probed");
}

static void freed(void) {
    static int out, late, in;
    MPI_Request q;
    enter("freed");
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &q);
    MPI_Cancel(&q);
    MPI_Request_free(&q);
    /* Neither can be complete before the barrier. */
    MPI_Irecv(&late, 1, MPI_INT, below, 11, MPI_COMM_WORLD, &q);
    MPI_Request_free(&q);
    MPI_Issend(&out, 1, MPI_INT, above, 12, MPI_COMM_WORLD, &q);
    MPI_Request_free(&q);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&out, 1, MPI_INT, above, 11, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, below, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    leave("freed");
}

static void collectives(void) {
    int one = rank, all[16] = {0}, more[16], counts[4] = {1, 2, 3, 4}, at[4] = {0, 1, 3, 6};
    enter("collectives");
    MPI_Bcast(&one, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gather(rank == 1 ? MPI_IN_PLACE : &one, 1, MPI_INT, all, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Scatter(all, 1, MPI_INT, &one, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gatherv(more, rank + 1, MPI_INT, all, counts, at, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Reduce(&one, all, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(more, rank + 1, MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(all, 2, MPI_INT, more, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(all, more, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(&one, more, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(&one, more, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    leave("collectives");
}

static void communicators(void) {
    MPI_Comm halves, copy, other, cart, later[2];
    MPI_Request copying[2];
    int data = 0, dims[1] = {4}, periods[1] = {1};
    enter("communicators");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &halves);
    MPI_Comm_dup(halves, &copy);
    MPI_Comm_set_name(copy, "copy");
    MPI_Bcast(&data, 1, MPI_INT, 0, copy);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
    MPI_Barrier(cart);
    MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 3, 8, &other);
    MPI_Barrier(other);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Comm_free(&other);
    MPI_Comm_free(&copy);
    MPI_Comm_idup(halves, &later[0], &copying[0]);
    MPI_Comm_idup(MPI_COMM_SELF, &later[1], &copying[1]);
    MPI_Waitall(2, copying, MPI_STATUSES_IGNORE);
    MPI_Comm_set_name(later[0], "later");
    MPI_Barrier(later[0]);
    MPI_Comm_free(&later[1]);
    MPI_Comm_idup(later[0], &copy, &copying[0]);
    MPI_Wait(&copying[0], MPI_STATUS_IGNORE);
    MPI_Bcast(&data, 1, MPI_INT, 1, copy);
    leave("communicators");
}

int main(int argc, char **argv) {
    enter("main");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    above = (rank + 1) % size;
    below = (rank + size - 1) % size;
    blocking();
    nonblocking();
    probed();
    freed();
    collectives();
    communicators();
    MPI_Pcontrol(1);
    MPI_Finalize();
    enter("late");
    leave("late");
    leave("main");
    return 0;
}

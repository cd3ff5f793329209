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

/* What two ranks have for each other is alike, as MPI demands it of data in place: rank + peer + 1 elements of a type. */
static int mutual[4];
static MPI_Datatype mutual_types[4];

static void in_place(void) {
    int all[32] = {0}, counts[4] = {1, 2, 3, 4}, at[4] = {0, 1, 3, 6};
    int elements[4] = {0, 8, 16, 24}, bytes[4] = {0, 32, 64, 96};
    enter("in_place");
    for (int peer = 0; peer < size; peer++) {
        mutual[peer] = rank + peer + 1;
        mutual_types[peer] = (rank + peer) % 2 ? MPI_INT : MPI_SHORT;
    }
    if (rank == 1) {
        MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INT, all, counts, at, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Scatterv(all, counts, at, MPI_INT, MPI_IN_PLACE, 2, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Reduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    } else {
        MPI_Gatherv(all, rank + 1, MPI_INT, NULL, NULL, NULL, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Scatter(NULL, 1, MPI_INT, all, 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Scatterv(NULL, NULL, NULL, MPI_INT, all, rank + 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Reduce(all, NULL, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    }
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, all, mutual, elements, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, all, mutual, bytes, mutual_types, MPI_COMM_WORLD);
    MPI_Reduce_scatter(MPI_IN_PLACE, all, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    leave("in_place");
}

static void types(void) {
    int out[32] = {0}, in[32], at[4] = {0, 32, 64, 96};
    MPI_Datatype large;
    enter("types");
    MPI_Alltoallw(out, mutual, at, mutual_types, in, mutual, at, mutual_types, MPI_COMM_WORLD);
    /* More bytes than an int counts; none of them moves. */
    MPI_Type_contiguous(1500000000, MPI_SHORT, &large);
    MPI_Type_commit(&large);
    MPI_Bcast(out, 2, large, 0, MPI_COMM_SELF);
    MPI_Type_free(&large);
    leave("types");
}

static void groups(void) {
    MPI_Comm pair, copy, grid, row, ring;
    MPI_Group world, two;
    int members[2] = {3, 1}, dims[2] = {2, 2}, periods[2] = {0, 0}, columns[2] = {0, 1};
    int ends[4] = {1, 2, 3, 4}, next[4] = {1, 2, 3, 0};
    enter("groups");
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, members, &two);
    if (rank % 2) {
        MPI_Comm_create_group(MPI_COMM_WORLD, two, 13, &pair);
        MPI_Barrier(pair);
    }
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &copy);
    MPI_Comm_set_name(copy, "with_info");
    MPI_Barrier(copy);
    MPI_Cart_create(copy, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, columns, &row);
    MPI_Barrier(row);
    MPI_Graph_create(copy, 4, ends, next, 0, &ring);
    MPI_Comm_set_name(ring, "ring");
    MPI_Barrier(ring);
    leave("groups");
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
    in_place();
    types();
    communicators();
    groups();
    MPI_Pcontrol(1);
    MPI_Finalize();
    enter("late");
    leave("late");
    leave("main");
    return 0;
}

/* Calls that fail and return their error: some have done nothing, some have completed requests or taken messages. 2 ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* A message of four numbers is cut off in a buffer for one. */
enum { WHOLE = 4, CUT = 1 };

static MPI_Comm world = MPI_COMM_WORLD;
static int out[WHOLE], in[WHOLE];

static void expect(int right, int line) {
    if (!right) {
        fprintf(stderr, "errors.c:%d: the call ended otherwise\n", line);
        exit(1);
    }
}
#define WORKS(call) expect((call) == MPI_SUCCESS, __LINE__)
#define FAILS(call) expect((call) != MPI_SUCCESS, __LINE__)

static void sends(void) {
    MPI_Request q;
    FAILS(MPI_Send(out, -1, MPI_INT, 1, 1, world));
    FAILS(MPI_Isend(out, -1, MPI_INT, 1, 1, world, &q));
    FAILS(MPI_Sendrecv(out, -1, MPI_INT, 1, 1, in, WHOLE, MPI_INT, 1, 1, world, MPI_STATUS_IGNORE));
    FAILS(MPI_Sendrecv_replace(out, -1, MPI_INT, 1, 1, 1, 1, world, MPI_STATUS_IGNORE));
    for (int tag = 1; tag <= 11; tag++)
        WORKS(MPI_Send(out, WHOLE, MPI_INT, 1, tag, world));
    WORKS(MPI_Recv(in, WHOLE, MPI_INT, 1, 12, world, MPI_STATUS_IGNORE));
}

static void receives(void) {
    MPI_Request q[2];
    MPI_Message message;
    int flag, index, found, indices[2];
    FAILS(MPI_Recv(in, -1, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE));
    FAILS(MPI_Irecv(in, -1, MPI_INT, 0, 1, world, &q[0]));
    FAILS(MPI_Recv(in, CUT, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE));

    WORKS(MPI_Irecv(in, CUT, MPI_INT, 0, 2, world, &q[0]));
    FAILS(MPI_Wait(&q[0], MPI_STATUS_IGNORE));

    WORKS(MPI_Probe(0, 3, world, MPI_STATUS_IGNORE));
    WORKS(MPI_Irecv(in, CUT, MPI_INT, 0, 3, world, &q[0]));
    FAILS(MPI_Test(&q[0], &flag, MPI_STATUS_IGNORE));

    WORKS(MPI_Irecv(in, WHOLE, MPI_INT, 0, 4, world, &q[0]));
    WORKS(MPI_Irecv(in, CUT, MPI_INT, 0, 5, world, &q[1]));
    FAILS(MPI_Waitall(2, q, MPI_STATUSES_IGNORE));

    q[0] = MPI_REQUEST_NULL;
    WORKS(MPI_Irecv(in, CUT, MPI_INT, 0, 6, world, &q[1]));
    FAILS(MPI_Waitany(2, q, &index, MPI_STATUS_IGNORE));
    WORKS(MPI_Irecv(in, CUT, MPI_INT, 0, 7, world, &q[1]));
    FAILS(MPI_Waitsome(2, q, &found, indices, MPI_STATUSES_IGNORE));

    WORKS(MPI_Mprobe(0, 8, world, &message, MPI_STATUS_IGNORE));
    FAILS(MPI_Mrecv(in, -1, MPI_INT, &message, MPI_STATUS_IGNORE));
    FAILS(MPI_Mrecv(in, CUT, MPI_INT, &message, MPI_STATUS_IGNORE));
    WORKS(MPI_Mprobe(0, 9, world, &message, MPI_STATUS_IGNORE));
    FAILS(MPI_Imrecv(in, -1, MPI_INT, &message, &q[0]));
    WORKS(MPI_Imrecv(in, CUT, MPI_INT, &message, &q[0]));
    FAILS(MPI_Wait(&q[0], MPI_STATUS_IGNORE));

    WORKS(MPI_Recv_init(in, CUT, MPI_INT, 0, 10, world, &q[0]));
    WORKS(MPI_Start(&q[0]));
    FAILS(MPI_Wait(&q[0], MPI_STATUS_IGNORE));

    FAILS(MPI_Sendrecv(out, WHOLE, MPI_INT, 0, 12, in, CUT, MPI_INT, 0, 11, world, MPI_STATUS_IGNORE));
}

static void collectives(void) {
    MPI_Comm comm = world;
    FAILS(MPI_Bcast(in, 1, MPI_INT, 99, world));
    FAILS(MPI_Comm_create(world, MPI_GROUP_NULL, &comm));
    comm = world;
    FAILS(MPI_Comm_free(&comm));
    WORKS(MPI_Barrier(world));
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world, &rank);
    if (rank == 0)
        sends();
    else
        receives();
    collectives();
    MPI_Finalize();
    return 0;
}

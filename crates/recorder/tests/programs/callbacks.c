/* Libraries that clean up in MPI_Finalize, by callbacks of attributes of MPI_COMM_SELF: the last one first. 2 ranks. */
#include <mpi.h>

static MPI_Comm comms[2];
static int rank;

static int clean(MPI_Comm comm, int key, void *value, void *extra) {
    MPI_Comm *mine = value;
    int finalized, all, one = 0;
    MPI_Finalized(&finalized);
    if (finalized)
        return MPI_ERR_OTHER;
    MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, *mine);
    if (rank == 0)
        MPI_Send(&one, 1, MPI_INT, 1, 7, *mine);
    else
        MPI_Recv(&one, 1, MPI_INT, 0, 7, *mine, MPI_STATUS_IGNORE);
    return MPI_Comm_free(mine);
}

int main(int argc, char **argv) {
    MPI_Comm copy;
    int keys[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int library = 0; library < 2; library++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[library]);
        MPI_Comm_set_name(comms[library], library ? "second" : "first");
    }
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, clean, &keys[0], 0);
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[0], &comms[0]);
    MPI_Keyval_create(MPI_NULL_COPY_FN, clean, &keys[1], 0);
    MPI_Attr_put(MPI_COMM_SELF, keys[1], &comms[1]);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}

/* What the functions compute and move; a wrong value ends the program with its line. */
#include <ats.h>
#include <stdio.h>

#define HOLDS(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);  \
            MPI_Abort(MPI_COMM_WORLD, 1);                            \
        }                                                            \
    } while (0)

static void distributions(void) {
    val1_distr_t one = {2.0};
    val2_distr_t two = {1.0, 5.0};
    val2_n_distr_t peak = {1.0, 5.0, 2};
    val3_distr_t three = {1.0, 9.0, 4.0};
    HOLDS(df_same(3, 4, 0.5, &one) == 1.0);
    HOLDS(df_cyclic2(0, 4, 1.0, &two) == 1.0 && df_cyclic2(3, 4, 1.0, &two) == 5.0);
    HOLDS(df_block2(1, 4, 1.0, &two) == 1.0 && df_block2(2, 4, 1.0, &two) == 5.0);
    HOLDS(df_linear(2, 5, 1.0, &two) == 3.0 && df_linear(0, 1, 1.0, &two) == 1.0);
    HOLDS(df_peak(2, 4, 2.0, &peak) == 10.0 && df_peak(3, 4, 2.0, &peak) == 2.0);
    HOLDS(df_cyclic3(1, 3, 1.0, &three) == 4.0 && df_cyclic3(2, 3, 1.0, &three) == 9.0);
    HOLDS(df_block3(1, 3, 1.0, &three) == 4.0 && df_block3(2, 3, 1.0, &three) == 9.0);
}

static void base_comm(void) {
    set_base_comm(MPI_FLOAT, 3);
    HOLDS(base_type == MPI_FLOAT && base_cnt == 3);
}

static void patterns(int me, int size) {
    int partner = me ^ 1, at, isend, irecv;
    mpi_buf_t* buf = alloc_mpi_buf(MPI_FLOAT, 3);
    mpi_buf_t* from = alloc_mpi_buf(MPI_SHORT, 5);
    float* values = (float*)buf->buf;
    short mine[5];
    mpi_buf_t own;
    own.buf = mine;
    own.type = MPI_SHORT;
    own.cnt = 5;
    HOLDS(buf->type == MPI_FLOAT && buf->cnt == 3);
    for (isend = 0; isend < 2; ++isend) {
        for (irecv = 0; irecv < 2; ++irecv) {
            int below = (me + size - 1) % size, above = (me + 1) % size;
            for (at = 0; at < 3; ++at) values[at] = (float)(10 * me + at);
            mpi_commpattern_sendrecv(buf, DIR_UP, isend, irecv, MPI_COMM_WORLD);
            HOLDS(values[2] == (me % 2 ? 10 * partner + 2 : 10 * me + 2));
            for (at = 0; at < 3; ++at) values[at] = (float)(10 * me + at);
            mpi_commpattern_sendrecv(buf, DIR_DOWN, isend, irecv, MPI_COMM_WORLD);
            HOLDS(values[2] == (me % 2 == 0 && partner < size ? 10 * partner + 2 : 10 * me + 2));
            for (at = 0; at < 5; ++at) mine[at] = (short)(10 * me + at);
            mpi_commpattern_shift(&own, from, DIR_UP, isend, irecv, MPI_COMM_WORLD);
            HOLDS(((short*)from->buf)[4] == 10 * below + 4);
            mpi_commpattern_shift(&own, from, DIR_DOWN, isend, irecv, MPI_COMM_WORLD);
            HOLDS(((short*)from->buf)[4] == 10 * above + 4);
        }
    }
    for (at = 0; at < 3; ++at) values[at] = (float)(10 * me + at);
    mpi_commpattern_chain(buf, 0.001, MPI_COMM_WORLD);
    HOLDS(values[2] == 2);
    for (at = 0; at < 3; ++at) values[at] = (float)(10 * me + at);
    mpi_commpattern_one_to_all(buf, 0.001, MPI_COMM_WORLD);
    HOLDS(values[2] == 2);
    for (at = 0; at < 3; ++at) values[at] = (float)(10 * me + at);
    mpi_commpattern_all_to_one(buf, MPI_COMM_WORLD);
    HOLDS(values[2] == (me == 0 ? 10 * (size - 1) + 2 : 10 * me + 2));
    free_mpi_buf(buf);
    free_mpi_buf(from);
    free_mpi_buf(NULL);
}

static void irregular(int me, int size) {
    val2_distr_t dd = {2.9, 5.9};
    int rank, root = size + 1, next = 0;
    mpi_vbuf_t* buf = alloc_mpi_vbuf(MPI_INT, df_cyclic2, &dd, root, MPI_COMM_WORLD);
    HOLDS(buf->cnt == (me % 2 ? 5 : 2) && buf->type == MPI_INT);
    HOLDS(buf->isroot == (me == root % size));
    for (rank = 0; rank < buf->cnt; ++rank) ((int*)buf->buf)[rank] = me;
    if (buf->isroot) {
        for (rank = 0; rank < size; ++rank) {
            HOLDS(buf->rootcnt[rank] == (rank % 2 ? 5 : 2) && buf->rootdispl[rank] == next);
            next += buf->rootcnt[rank];
        }
    }
    MPI_Gatherv(buf->buf, buf->cnt, buf->type, buf->rootbuf, buf->rootcnt, buf->rootdispl, buf->type, root % size,
                MPI_COMM_WORLD);
    if (buf->isroot) {
        HOLDS(((int*)buf->rootbuf)[next - 1] == size - 1);
    } else {
        HOLDS(buf->rootbuf == NULL && buf->rootcnt == NULL && buf->rootdispl == NULL);
    }
    free_mpi_vbuf(buf);
}

int main(int argc, char** argv) {
    int me, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    HOLDS(base_cnt == 1);
    distributions();
    base_comm();
    patterns(me, size);
    irregular(me, size);
    if (me == 0) printf("all values hold\n");
    MPI_Finalize();
    return 0;
}

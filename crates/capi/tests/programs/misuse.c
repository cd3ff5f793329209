/* One wrong call, named by the argument. */
#include <ats.h>
#include <math.h>
#include <string.h>

static double debt(int me, int sz, double sf, distr_t* dd) {
    (void)me, (void)sz, (void)sf, (void)dd;
    return -1.0;
}

int main(int argc, char** argv) {
    const char* wrong = argc > 1 ? argv[1] : "";
    const MPI_Comm c = MPI_COMM_WORLD;
    val1_distr_t many = {3e9};
    if (!strcmp(wrong, "before")) late_sender(0.01, 0.01, 1, c);
    MPI_Init(&argc, &argv);
    if (!strcmp(wrong, "count")) late_sender(0.01, 0.01, -3, c);
    if (!strcmp(wrong, "negative")) late_sender(0.01, -0.5, 1, c);
    if (!strcmp(wrong, "nan")) late_broadcast(NAN, 0.01, 0, 1, c);
    if (!strcmp(wrong, "root")) late_broadcast_balanced(0.01, 0.01, -1, 1, c);
    if (!strcmp(wrong, "null")) early_reduce(0.01, 0.01, 0, 1, MPI_COMM_NULL);
    if (!strcmp(wrong, "function")) imbalance_at_mpi_barrier(NULL, NULL, 1, c);
    if (!strcmp(wrong, "descriptor")) imbalance_at_mpi_barrier(df_same, NULL, 1, c);
    if (!strcmp(wrong, "share")) imbalance_at_mpi_barrier(debt, NULL, 1, c);
    if (!strcmp(wrong, "many")) alloc_mpi_vbuf(MPI_INT, df_same, &many, 0, c);
    if (!strcmp(wrong, "elements")) alloc_mpi_buf(MPI_INT, -1);
    if (!strcmp(wrong, "buffer")) mpi_commpattern_sendrecv(NULL, DIR_UP, 0, 0, c);
    if (!strcmp(wrong, "direction")) {
        mpi_buf_t* buf = alloc_mpi_buf(MPI_INT, 1);
        mpi_commpattern_shift(buf, buf, (mpi_dir_t)7, 0, 0, c);
    }
    if (!strcmp(wrong, "pattern")) {
        mpi_buf_t* buf = alloc_mpi_buf(MPI_INT, 1);
        mpi_commpattern_chain(buf, -0.5, c);
    }
    if (!strcmp(wrong, "gaps")) {
        MPI_Datatype gaps;
        MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
        set_base_comm(gaps, 1);
    }
    if (!strcmp(wrong, "mark")) ats_leave_construct();
    if (!strcmp(wrong, "construct")) ats_enter_construct("!$omp teams");
    if (!strcmp(wrong, "work")) do_work(0.001);
    if (!strcmp(wrong, "after")) {
        MPI_Finalize();
        late_sender(0.01, 0.01, 1, c);
    }
    MPI_Finalize();
    return 0;
}

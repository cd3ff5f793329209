/* MPI properties in a row, as in figure 3.3 of the report, after the example of its section 3.1.5, and patterns. */
#include <ats.h>
#include <stdio.h>

/* As it stands in the report, but for its name. */
static void report_late_sender(double basework, double extrawork, int r, MPI_Comm c) {
    val2_distr_t dd;
    int i;
    mpi_buf_t* buf = alloc_mpi_buf(base_type, base_cnt);
    dd.low = basework+extrawork;
    dd.high = basework;

    for (i = 0; i<r; ++i) {
        par_do_mpi_work(df_cyclic2, &dd, 1.0, c);
        mpi_commpattern_sendrecv(buf, DIR_UP, 0, 0, c);
    }
    free_mpi_buf(buf);
}

/* A function and a descriptor of the program's own. */
typedef struct {
    double all;
    double each;
} rising_t;

static double rising(int me, int sz, double sf, distr_t* dd) {
    const rising_t* rising = (const rising_t*)dd;
    (void)sz;
    return sf * (rising->all + me * rising->each);
}

int main(int argc, char** argv) {
    const double base = 0.02, extra = 0.2, step = 0.1;
    const int r = 2;
    const MPI_Comm c = MPI_COMM_WORLD;
    val2_distr_t linear;
    rising_t own;
    double begin;
    int rank;
    mpi_buf_t* buf;
    linear.low = 0.02;
    linear.high = 0.32;
    own.all = 0.02;
    own.each = 0.1;

    MPI_Init(&argc, &argv);
    set_base_comm(MPI_DOUBLE, 4);
    MPI_Barrier(c);
    begin = MPI_Wtime();
    report_late_sender(base, extra, r, c);
    MPI_Barrier(c);
    late_sender(base, extra, r, c);
    MPI_Barrier(c);
    late_sender_balanced(base, extra, r, c);
    MPI_Barrier(c);
    late_receiver(base, extra, r, c);
    MPI_Barrier(c);
    imbalance_at_mpi_barrier(df_linear, &linear, r, c);
    MPI_Barrier(c);
    imbalance_at_mpi_alltoall(rising, &own, r, c);
    MPI_Barrier(c);
    late_broadcast(base, extra, 1, r, c);
    MPI_Barrier(c);
    late_scatter(base, extra, 5, r, c);
    MPI_Barrier(c);
    late_scatterv(base, extra, 2, r, c);
    MPI_Barrier(c);
    early_reduce(base, extra, 3, r, c);
    MPI_Barrier(c);
    early_gather(base, extra, 0, r, c);
    MPI_Barrier(c);
    early_gatherv(base, extra, 1, r, c);
    MPI_Barrier(c);
    wrong_order(step, r, c);
    MPI_Barrier(c);
    right_order(step, r, c);
    MPI_Barrier(c);
    buf = alloc_mpi_buf(base_type, base_cnt);
    mpi_commpattern_chain(buf, extra, c);
    MPI_Barrier(c);
    mpi_commpattern_one_to_all(buf, extra, c);
    mpi_commpattern_all_to_one(buf, c);
    MPI_Barrier(c);
    free_mpi_buf(buf);
    MPI_Comm_rank(c, &rank);
    if (rank == 0) printf("%.6f\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}

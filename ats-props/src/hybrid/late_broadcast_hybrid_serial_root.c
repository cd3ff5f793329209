#include <ats.h>
#include <omp.h>

static void work_and_broadcast(double of_each, double of_root, int root, int r, MPI_Comm c) {
    mpi_buf_t* buf = alloc_mpi_buf(base_type, base_cnt);
    int me, size;
    MPI_Comm_rank(c, &me);
    MPI_Comm_size(c, &size);
    root %= size;
    const double of_master = me == root ? of_root : 0.0;
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        {
            do_work(of_each);
            #pragma omp master
            do_work(of_master);
        }
        ats_bcast(buf, root, c);
    }
    free_mpi_buf(buf);
}

void late_broadcast_hybrid_serial_root(double basework, double rootextrawork, int root, int r, MPI_Comm c) {
    ats_enter(__func__);
    work_and_broadcast(basework, rootextrawork, root, r, c);
    ats_leave(__func__);
}

void late_broadcast_hybrid_serial_root_balanced(double basework, double rootextrawork, int root, int r, MPI_Comm c) {
    int size;
    ats_enter(__func__);
    MPI_Comm_size(c, &size);
    work_and_broadcast(basework + rootextrawork / (size * omp_get_max_threads()), 0.0, root, r, c);
    ats_leave(__func__);
}

/* Neighbourhood collectives on each kind of topology. 4 ranks. */
#include <mpi.h>
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#endif

int main(int argc, char **argv) {
    int rank, size, out[8] = {0}, in[8], counts[2] = {1, 1}, at[2] = {0, 1}, periods[2] = {0, 1};
    int ends[4] = {1, 2, 3, 4}, next[4] = {1, 2, 3, 0}, dims[2];
    MPI_Comm line, copy, ring, graph, grid;
    MPI_Request q;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    dims[0] = size;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Comm_set_name(line, "line");
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, line);
    MPI_Neighbor_alltoallv(out, counts, at, MPI_INT, in, counts, at, MPI_INT, line);
    MPI_Comm_idup(line, &copy, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Comm_set_name(copy, "copy");
    int below = (rank + size - 1) % size, above = (rank + 1) % size;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &below, MPI_UNWEIGHTED, 1, &above, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &ring);
    MPI_Comm_set_name(ring, "ring");
    MPI_Ineighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, ring, MPI_INFO_NULL, &q);
    MPI_Start(&q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Request_free(&q);
    MPI_Graph_create(MPI_COMM_WORLD, 4, ends, next, 0, &graph);
    MPI_Comm_set_name(graph, "graph");
    dims[0] = dims[1] = 2;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_set_name(grid, "grid");
    MPI_Finalize();
    return 0;
}

/* A tool of 30 lines: how long each rank is in MPI_Recv, which it takes for a late sender. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double waited;

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    double begin = MPI_Wtime();
    int result = PMPI_Recv(data, count, type, from, tag, comm, status);
    waited += MPI_Wtime() - begin;
    return result;
}

int MPI_Finalize(void)
{
    int rank, ranks;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *all = malloc(ranks * sizeof *all);
    PMPI_Gather(&waited, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    FILE *table = rank == 0 ? fopen(getenv("WAITS"), "w") : NULL;
    if (table && fprintf(table, "property,call,rank,seconds\n") > 0)
        for (int at = 0; at < ranks; at++)
            if (all[at] > 0.001) fprintf(table, "late_sender,MPI_Recv,%d,%f\n", at, all[at]);
    if (table) fclose(table);
    return PMPI_Finalize();
}

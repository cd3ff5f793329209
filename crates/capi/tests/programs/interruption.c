/* Before a recorder that is preloaded after it: each process loses its core for 20 ms on its way from the caller of its third
 * MPI_Recv to the recorder. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    static int calls;
    int (*next)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Recv");
    if (++calls == 3)
        usleep(20000);
    return next(buffer, count, type, source, tag, comm, status);
}

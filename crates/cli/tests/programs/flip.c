/* Stands between a program and its MPI library, or whatever else is preloaded: receives are passed on. With FLIP defined,
 * a bit of each message is another one than was sent. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

typedef int receive(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);

int MPI_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status) {
    receive* next = (receive*)dlsym(RTLD_NEXT, "MPI_Recv");
    const int code = next(buf, count, type, source, tag, comm, status);
#ifdef FLIP
    if (count > 0) ((unsigned char*)buf)[0] ^= 1;
#endif
    return code;
}

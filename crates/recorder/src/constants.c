/* What mpi.h has as macros and rsmpi does not export. */
#include <mpi.h>

const void *const ATS_IN_PLACE = MPI_IN_PLACE;
const int ATS_CART = MPI_CART, ATS_GRAPH = MPI_GRAPH, ATS_DIST_GRAPH = MPI_DIST_GRAPH;

#if defined(OPEN_MPI)
const int ATS_IS_OPEN_MPI = 1;
#elif defined(MPICH_VERSION)
const int ATS_IS_OPEN_MPI = 0;
#else
#error "this MPI library is neither Open MPI nor of the MPICH family"
#endif

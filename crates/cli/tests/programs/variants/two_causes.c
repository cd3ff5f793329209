#include "variant.h"
STEP {
  if(me==OTHER) IN("read_input", work(MORE/2));
  MPI_Bcast(a,1,MPI_DOUBLE,IN_COMM(OTHER),comm); /* waits */
  IN("solve", work(me==CULPRIT?USUAL+MORE:USUAL));
  MPI_Allreduce(a,b,1,MPI_DOUBLE,MPI_SUM,comm); /* waits */
}

#include "variant.h"
/* pairs of neighbours: one of each sends */
STEP {
  IN("pack", work(me==CULPRIT?USUAL+MORE:USUAL));
  int partner=IN_COMM(me^1);
  if(me%2==CULPRIT%2) MPI_Send(a,8,MPI_DOUBLE,partner,1,comm);
  else MPI_Recv(a,8,MPI_DOUBLE,partner,1,comm,MPI_STATUS_IGNORE); /* waits */
}

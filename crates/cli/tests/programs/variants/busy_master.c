#include "variant.h"
STEP {
  MPI_Status s;
  if(me==CULPRIT) FOR(task,np-1){
    MPI_Recv(a,1,MPI_DOUBLE,MPI_ANY_SOURCE,1,comm,&s);
    IN("make_task", work(MORE));
    MPI_Send(a,1,MPI_DOUBLE,s.MPI_SOURCE,2,comm);
  } else {
    MPI_Send(a,1,MPI_DOUBLE,IN_COMM(CULPRIT),1,comm);
    MPI_Recv(a,1,MPI_DOUBLE,IN_COMM(CULPRIT),2,comm,MPI_STATUS_IGNORE); /* waits */
    IN("do_task", work(MORE));
  }
}

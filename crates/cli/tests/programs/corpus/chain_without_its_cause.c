#include "k.h"
/* chain of p07 without its cause: all ranks work at once */
int main(int c,char**v){ start(&c,&v); double a=0;
  FOR(i,6){
    MPI_Request r=MPI_REQUEST_NULL; if(me>0) MPI_Irecv(&a,1,MPI_DOUBLE,me-1,7,MPI_COMM_WORLD,&r);
    IN("line", work(20));
    if(me<np-1) MPI_Send(&a,1,MPI_DOUBLE,me+1,7,MPI_COMM_WORLD);
    MPI_Wait(&r,MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize(); }

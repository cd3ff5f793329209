#include "k.h"
int main(int c,char**v){ start(&c,&v); double a=0;
  FOR(i,6){
    if(me>0) MPI_Recv(&a,1,MPI_DOUBLE,me-1,7,MPI_COMM_WORLD,MPI_STATUS_IGNORE);
    IN("line", work(20));
    if(me<np-1) MPI_Send(&a,1,MPI_DOUBLE,me+1,7,MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize(); }

#include "k.h"
int main(int c,char**v){ start(&c,&v); double a=0;
  FOR(i,8){
    if(me%2==1){
      MPI_Send(&a,1,MPI_DOUBLE,me-1,1,MPI_COMM_WORLD);
      IN("second", work(30));
      MPI_Send(&a,1,MPI_DOUBLE,me-1,2,MPI_COMM_WORLD);
      work(30);
    } else {
      MPI_Recv(&a,1,MPI_DOUBLE,me+1,2,MPI_COMM_WORLD,MPI_STATUS_IGNORE);
      IN("process2", work(30));
      MPI_Recv(&a,1,MPI_DOUBLE,me+1,1,MPI_COMM_WORLD,MPI_STATUS_IGNORE);
      IN("process1", work(30));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize(); }

#include "k.h"
int main(int c,char**v){ start(&c,&v); double a=1,b;
  FOR(i,12){
    IN("solve", work(30));
    MPI_Allreduce(&a,&b,1,MPI_DOUBLE,MPI_SUM,MPI_COMM_WORLD);
  }
  MPI_Finalize(); }

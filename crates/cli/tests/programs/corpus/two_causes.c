#include "k.h"
int main(int c,char**v){ start(&c,&v); double a=1,b;
  FOR(i,10){
    if(me==0) IN("read_input", work(20));
    MPI_Bcast(&a,1,MPI_DOUBLE,0,MPI_COMM_WORLD);
    IN("solve", work(me==3?50:20));
    MPI_Allreduce(&a,&b,1,MPI_DOUBLE,MPI_SUM,MPI_COMM_WORLD);
  }
  MPI_Finalize(); }

#include "k.h"
int main(int c,char**v){ start(&c,&v); double a=1,b; int what=c>1?v[1][0]:0; MPI_Barrier(MPI_COMM_WORLD); double t0=MPI_Wtime();
  FOR(i,8){
    if(me==0&&what!='r') work(20);
    MPI_Bcast(&a,1,MPI_DOUBLE,0,MPI_COMM_WORLD);
    work(what=='s'?27.5:me==3?50:20);
    MPI_Allreduce(&a,&b,1,MPI_DOUBLE,MPI_SUM,MPI_COMM_WORLD);
  }
  if(!me) printf("%s %.3f s\n",what=='r'?"no read_input":what=='s'?"solve even":"as it is",MPI_Wtime()-t0);
  MPI_Finalize(); }

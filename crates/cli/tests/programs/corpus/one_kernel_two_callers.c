#include "k.h"
/* recursion / deep wrappers: slow rank inside level3 called from two callers; user regions nested; same culprit */
static void kernel(int extra){ enter("kernel"); work(me==2?20+extra:20); leave("kernel"); }
int main(int c,char**v){ start(&c,&v); double a=1,b;
  FOR(i,6){
    enter("predictor"); kernel(30); MPI_Allreduce(&a,&b,1,MPI_DOUBLE,MPI_SUM,MPI_COMM_WORLD); leave("predictor");
    enter("corrector"); kernel(30); MPI_Allreduce(&a,&b,1,MPI_DOUBLE,MPI_SUM,MPI_COMM_WORLD); leave("corrector");
  }
  MPI_Finalize(); }

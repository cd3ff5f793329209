#include "k.h"
/* one-sided: rank 2 late at each fence */
int main(int c,char**v){ start(&c,&v); double*b; MPI_Win w; double x=me; MPI_Win_allocate(8*64,8,MPI_INFO_NULL,MPI_COMM_WORLD,&b,&w);
  MPI_Win_fence(0,w);
  FOR(i,8){
    IN("compute", work(me==2?60:20));
    MPI_Put(&x,1,MPI_DOUBLE,(me+1)%np,0,1,MPI_DOUBLE,w);
    MPI_Win_fence(0,w);
  }
  MPI_Win_free(&w); MPI_Finalize(); }

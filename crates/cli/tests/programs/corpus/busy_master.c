#include "k.h"
int main(int c,char**v){ start(&c,&v); double t=0; int tasks=45; MPI_Status s;
  if(me==0){
    int open=np-1;
    while(open){
      MPI_Recv(&t,1,MPI_DOUBLE,MPI_ANY_SOURCE,1,MPI_COMM_WORLD,&s);
      if(tasks>0){ IN("make_task", work(10)); tasks--; t=1; } else { t=-1; open--; }
      MPI_Send(&t,1,MPI_DOUBLE,s.MPI_SOURCE,2,MPI_COMM_WORLD);
    }
  } else for(;;){
    MPI_Send(&t,1,MPI_DOUBLE,0,1,MPI_COMM_WORLD);
    MPI_Recv(&t,1,MPI_DOUBLE,0,2,MPI_COMM_WORLD,MPI_STATUS_IGNORE);
    if(t<0) break;
    IN("do_task", work(10));
  }
  MPI_Finalize(); }

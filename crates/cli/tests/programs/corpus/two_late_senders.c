#include "k.h"
/* two late senders of different ranks in two functions */
static double a;
static void halo(void){ if(me==0){ work(90); MPI_Send(&a,1,MPI_DOUBLE,1,1,MPI_COMM_WORLD);} else if(me==1) MPI_Recv(&a,1,MPI_DOUBLE,0,1,MPI_COMM_WORLD,MPI_STATUS_IGNORE); }
static void corner(void){ if(me==3){ work(30); MPI_Send(&a,1,MPI_DOUBLE,2,2,MPI_COMM_WORLD);} else if(me==2) MPI_Recv(&a,1,MPI_DOUBLE,3,2,MPI_COMM_WORLD,MPI_STATUS_IGNORE); }
int main(int c,char**v){ start(&c,&v);
  FOR(i,10){ IN("halo",halo()); IN("corner",corner()); }
  MPI_Finalize(); }

/* An intercommunicator of two halves is split (its first ranks leave by MPI_UNDEFINED), the rest is merged, and that communicator is duplicated after the others are freed.
   6 ranks: halves {0,1,2} and {3,4,5}; the split has {1,2} and {4,5}; merged: 4 members. On the duplicate: world 1 is 200 ms late to a barrier (wait_at_barrier 3 x 0.2 = 0.6 s on 2,4,5),
   then world 5 sends 250 ms late to world 2 (late_sender 0.25 s on 2). */
#include <mpi.h>
#include <stdio.h>
#include "work.h"
int main(int c,char**v){ int me,n,x=0; MPI_Comm half,inter,part,all,d; MPI_Init(&c,&v); MPI_Comm_rank(MPI_COMM_WORLD,&me); MPI_Comm_size(MPI_COMM_WORLD,&n); int up=me>=n/2,l;
 MPI_Comm_split(MPI_COMM_WORLD,up,me,&half); MPI_Intercomm_create(half,0,MPI_COMM_WORLD,up?0:n/2,42,&inter); MPI_Comm_rank(inter,&l);
 MPI_Comm_split(inter,l==0?MPI_UNDEFINED:1,me,&part);
 if(part!=MPI_COMM_NULL){ MPI_Intercomm_merge(part,up,&all); MPI_Comm_free(&part); MPI_Comm_dup(all,&d); MPI_Comm_free(&all); MPI_Barrier(d); if(me==1) spin_ms(200); MPI_Barrier(d);
   int r; MPI_Comm_rank(d,&r); if(me==5){ spin_ms(250); MPI_Send(&x,1,MPI_INT,1,3,d);} if(me==2) MPI_Recv(&x,1,MPI_INT,3,3,d,MPI_STATUS_IGNORE); if(me==2||me==5) printf("world %d is %d\n",me,r); MPI_Comm_free(&d); }
 MPI_Comm_free(&inter); MPI_Comm_free(&half); MPI_Finalize(); return 0; }

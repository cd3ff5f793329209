/* Communicators whose ranks run backwards, made of parts of parts, and one of MPI_Comm_split_type: ranks must be translated.
   4 ranks. rev: world 3,2,1,0. In rev, rank 0 (world 3) is 250 ms late as the root of a broadcast: late_broadcast 0.75 s on world 0-2.
   half = split of rev by rev rank / 2 with key -rank: {world 2,3} and {0,1}; its rank 1 (world 3; world 1) sends 250 ms late to its rank 0 (world 2; world 0): late_sender 0.5 s.
   self: a message to oneself by Isend/Recv: no wait. any: wildcard receive on rev, world 0 sends 250 ms late to world 3: 0.25 s. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"
int main(int c,char**v){ int me,n,x=0,r; MPI_Comm rev,half,node; MPI_Request q; MPI_Status s; MPI_Init(&c,&v); MPI_Comm_rank(MPI_COMM_WORLD,&me); MPI_Comm_size(MPI_COMM_WORLD,&n);
 MPI_Comm_split(MPI_COMM_WORLD,7,-me,&rev); MPI_Comm_rank(rev,&r); MPI_Comm_split(rev,r/2,-r,&half); MPI_Comm_split_type(rev,MPI_COMM_TYPE_SHARED,-r,MPI_INFO_NULL,&node);
 MPI_Barrier(MPI_COMM_WORLD);
 if(r==0) spin_ms(250); MPI_Bcast(&x,1,MPI_INT,0,rev);
 MPI_Barrier(node);
 int h; MPI_Comm_rank(half,&h); if(h==1){ spin_ms(250); MPI_Send(&x,1,MPI_INT,0,3,half);} else MPI_Recv(&x,1,MPI_INT,1,3,half,&s);
 MPI_Barrier(node);
 MPI_Isend(&x,1,MPI_INT,me,4,MPI_COMM_WORLD,&q); int y; MPI_Recv(&y,1,MPI_INT,me,4,MPI_COMM_WORLD,&s); MPI_Wait(&q,&s);
 MPI_Barrier(node);
 if(me==0){ spin_ms(250); MPI_Send(&x,1,MPI_INT,0,9,rev);} if(me==3) MPI_Recv(&x,1,MPI_INT,MPI_ANY_SOURCE,MPI_ANY_TAG,rev,&s);
 MPI_Comm_free(&half); MPI_Comm_free(&rev); MPI_Comm_free(&node); MPI_Finalize(); return 0; }

/*
 * Prints the eager limit between two ranks, to the byte: the largest message of MPI_Send that returns before its receive is
 * posted. No clocks are compared: the sender says when its send has returned, and the receiver, which has not posted its
 * receive yet, either hears of it in time or does not. A send that returns shows that its size is eager; one that does not
 * may only have been slow, so the smallest that is found waiting is asked again before it is believed.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64 << 20, ABOUT_TO_SEND = 1, MESSAGE, HAS_RETURNED };

static int rank;
static char *message;

/* Whether rank 0's send of so many bytes returns within so many seconds before rank 1 receives. */
static int is_eager(int bytes, double seconds) {
    int heard = 0;
    if (rank == 0) {
        MPI_Send(NULL, 0, MPI_BYTE, 1, ABOUT_TO_SEND, MPI_COMM_WORLD);
        MPI_Send(message, bytes, MPI_BYTE, 1, MESSAGE, MPI_COMM_WORLD);
        MPI_Send(NULL, 0, MPI_BYTE, 1, HAS_RETURNED, MPI_COMM_WORLD);
    } else {
        const struct timespec poll = {0, 200000};
        MPI_Recv(NULL, 0, MPI_BYTE, 0, ABOUT_TO_SEND, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double start = MPI_Wtime();
        do {
            MPI_Iprobe(0, HAS_RETURNED, MPI_COMM_WORLD, &heard, MPI_STATUS_IGNORE);
            nanosleep(&poll, NULL);
        } while (!heard && MPI_Wtime() - start < seconds);
        MPI_Recv(message, bytes, MPI_BYTE, 0, MESSAGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(NULL, 0, MPI_BYTE, 0, HAS_RETURNED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(&heard, 1, MPI_INT, 1, MPI_COMM_WORLD);
    return heard;
}

/* The limit; -1 where there is none up to MOST bytes. */
static int limit(void) {
    int eager = 0;
    /* Longer on a machine that turns out to be slow. */
    for (double seconds = 0.02;; seconds *= 2) {
        int waits = eager + 1, doubts = 1;
        while (waits <= MOST && is_eager(waits, seconds)) {
            eager = waits;
            waits *= 2;
        }
        if (waits > MOST) {
            return -1;
        }
        while (waits - eager > 1) {
            int between = eager + (waits - eager) / 2;
            if (is_eager(between, seconds)) {
                eager = between;
            } else {
                waits = between;
            }
        }
        while (doubts <= 3 && !is_eager(waits, seconds * (1 << doubts))) {
            doubts++;
        }
        if (doubts > 3) {
            return eager;
        }
        eager = waits;
    }
}

int main(int argc, char **argv) {
    int ranks, found;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    message = calloc(MOST, 1);
    if (ranks != 2 || message == NULL) {
        fprintf(stderr, "it needs 2 ranks of 64 MiB, and there are %d\n", ranks);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    found = limit();
    if (rank == 0) {
        printf("%d\n", found);
    }
    free(message);
    MPI_Finalize();
    return 0;
}

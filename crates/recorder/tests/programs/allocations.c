/* Allocates and frees memory in regions, and in a team. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 50 };

static void *volatile pieces[PIECES];

int main(int argc, char **argv) {
    void (*enter)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_enter");
    void (*leave)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_leave");
    MPI_Init(&argc, &argv);
    enter("outer");
    enter("allocates");
    for (int i = 0; i < PIECES; i++)
        pieces[i] = malloc(100);
    leave("allocates");
    enter("frees");
    for (int i = 0; i < PIECES; i++)
        free(pieces[i]);
    free(NULL);
    leave("frees");
    enter("others");
    pieces[0] = calloc(10, 8);
    pieces[0] = realloc(pieces[0], 200);
    void *aligned = NULL;
    if (posix_memalign(&aligned, 64, 64) != 0)
        return 1;
    pieces[1] = aligned;
    pieces[2] = strdup("abc");
    for (int i = 0; i < 3; i++)
        free(pieces[i]);
    leave("others");
    enter("nothing");
    leave("nothing");
    leave("outer");
#pragma omp parallel num_threads(2)
    for (int i = 0; i < PIECES; i++) {
        void *volatile piece = malloc(1000);
        free(piece);
    }
    MPI_Finalize();
    return 0;
}

/* Counts, writes and touches fresh pages in regions. Right: per rank 15 faces, 20 writes of a byte each in `step`, and 500
   page faults in `pages`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STEPS = 5, WRITES = 4, PAGES = 100, PAGE = 4096 };

int main(int argc, char **argv) {
    void (*enter)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_enter");
    void (*leave)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_leave");
    void (*count)(const char *, uint64_t) = dlsym(RTLD_DEFAULT, "ats_region_count");
    int file = open("/dev/null", O_WRONLY);
    MPI_Init(&argc, &argv);
    for (int step = 0; step < STEPS; step++) {
        enter("step");
        for (int i = 0; i < WRITES; i++)
            if (write(file, "x", 1) != 1)
                return 1;
        count("faces", 3);
        enter("pages");
        volatile char *fresh =
            mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise((void *)fresh, PAGES * PAGE, MADV_NOHUGEPAGE);
        for (int page = 0; page < PAGES; page++)
            fresh[page * PAGE] = 1;
        leave("pages");
        leave("step");
    }
    MPI_Finalize();
    return 0;
}

/* A property, and with it a region that a tool is told of. */
#include <ats.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    late_sender(0.001, 0.001, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

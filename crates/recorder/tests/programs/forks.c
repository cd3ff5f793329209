/* Calls the runtime that a test brings. */
void __kmpc_fork_call(void);

int main(void) {
    __kmpc_fork_call();
    return 0;
}

# `make validate`: the main job. `make test`: all tests. Both install what is missing.

.PHONY: validate test test-virtual test-mpi lint bench

export CARGO_TERM_PROGRESS_WHEN ?= auto

# One target folder per MPI library: Cargo does not notice when MPICC changes.
OPEN_MPI_TARGET := target/openmpi

validate:
	@scripts/install-missing mpi
	cargo build --release --locked
	target/release/ats validate $(VALIDATE)

test:
	@scripts/install-missing tests
	$(MAKE) --no-print-directory lint test-virtual test-mpi

lint:
	cargo fmt --all --check
	cargo clippy --locked --all-targets
	cargo clippy --locked --all-targets --target-dir $(OPEN_MPI_TARGET) -p ats-mpi -p ats-omp -p ats-harness -p ats-recorder -p ats-capi --features ats-harness/mpi,ats-harness/openmp,ats-harness/composition
	cargo clippy --locked --all-targets -p ats-omp -p ats-harness --features ats-harness/rayon
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --quiet

# Everything that needs nothing but Rust.
test-virtual:
	cargo test --locked
	cargo test --manifest-path examples/own-property/Cargo.toml --target-dir target/own-property

# What only real runs can show.
test-mpi:
	cargo test --locked --target-dir $(OPEN_MPI_TARGET) -p ats-omp --features ats-omp/openmp,ats-omp/rayon
	cargo test --locked --target-dir $(OPEN_MPI_TARGET) -p ats-recorder -p ats-harness -p ats-capi
	cargo test --locked -p ats-cli --test applications --test documents --test scores -- --ignored

bench:
	cargo bench --locked
	cargo bench --locked -p ats-omp --features openmp --bench overhead

# `make first`: the shortest way to a table. `make validate`: the main job. `make test`: the tests that each change passes.
# `make landing`: the others that CI runs. `make nightly`: everything that takes long. Each installs what is missing.
# .config/nextest.toml says which test belongs where, docs/make.md which kind of defect each level catches.

.PHONY: first validate test test-virtual landing nightly lint fuzz random recipes miri bench dist check-dist check-installed packages

export CARGO_TERM_PROGRESS_WHEN ?= auto

BEGIN := $(shell date +%s)
TIME = @echo "make $@: $$(($$(date +%s) - $(BEGIN))) s"

SUITE = $(shell scripts/suite)
# Tests that depend on LLVM's OpenMP runtime: of the engine and of the recorder.
OF_LIBOMP := -E 'package(ats-omp) | package(ats-recorder) & test(/^openmp::/)'

# What tests run is built without link-time optimization: in a third of the time, and no test looks at that.
test landing nightly: export CARGO_PROFILE_RELEASE_LTO := off
test landing nightly: export CARGO_PROFILE_RELEASE_CODEGEN_UNITS := 16

# The packages that are installed for each. A test that asks for more fails, even if this machine has it.
test: export ATS_PROMISED = $(shell scripts/install-missing --list tests)
landing: export ATS_PROMISED = $(shell scripts/install-missing --list landing)
nightly: export ATS_PROMISED = $(shell scripts/install-missing --list nightly)

# No other machine takes part, so Open MPI looks for no networks, unless told to: half of each start, of which there are
# hundreds.
first validate test landing nightly: export OMPI_MCA_pml ?= ob1
first validate test landing nightly: export OMPI_MCA_btl ?= ^openib,ofi
# What processes are told when they start fits into a message; shared memory for it takes a fifth of a start.
first validate test landing nightly: export PMIX_MCA_gds ?= hash

# Of MPI alone: programs of threads, and of both, are built with engines of their own.
first: VALIDATE := late_sender imbalance_at_mpi_barrier

# The command takes no time in it, so it is built in the quickest way; what is measured is optimized always.
first validate:
	@scripts/install-missing mpi
	cargo build --locked --profile quick -p ats-cli
	target/quick/ats validate $(VALIDATE)
	$(TIME)

# The main job is among it.
test:
	@scripts/install-missing tests
	scripts/run-tests default
	$(TIME)

# What needs nothing but Rust.
test-virtual:
	@scripts/install-missing nextest
	cargo nextest run --locked --profile virtual

# Lints, browsers, threads in C and Fortran, the other MPI library, the oldest OpenMP runtime, seeds of the fuzz targets,
# examples of the documentation.
landing:
	@scripts/install-missing landing
	$(MAKE) --no-print-directory lint
	scripts/run-tests landing
	ATS_TEST_MPI=mpich scripts/run-tests mpich
	scripts/with-libomp oldest scripts/run-tests nightly $(OF_LIBOMP)
	cargo test $(SUITE) --doc --quiet
	fuzz/run 0
	$(TIME)

# Many random cases, applications, other tools, the other OpenMP runtimes, engines in all variants, crates outside of the
# workspace, the tests of the recipes, and fuzzing.
nightly: export PROPTEST_CASES := 5120
nightly:
	@scripts/install-missing nightly
	cargo clippy --locked --all-targets -p ats-harness --features openmp,composition
	cargo clippy --locked --all-targets -p ats-harness --features rayon
	cargo clippy --locked --all-targets -p ats-fuzz
	scripts/run-tests nightly
	scripts/with-libomp others scripts/run-tests nightly $(OF_LIBOMP)
	cargo test --workspace --manifest-path examples/own-property/Cargo.toml --target-dir target --config Cargo.toml
	$(MAKE) --no-print-directory validate recipes fuzz random
	$(TIME)

# Form, the documentation of the code, and what clippy knows.
lint:
	cargo fmt --all --check
	cargo clippy $(SUITE) --all-targets
	RUSTDOCFLAGS="-D warnings" cargo doc $(SUITE) --exclude ats-recorder --exclude ats-capi --no-deps --quiet

# Every fuzz target, on its seeds and on changes of them that coverage guides: without a sanitizer, so that stable Rust does.
fuzz:
	fuzz/run 20000

# Every test with random cases, with twenty times as many as usual, and compositions with 500 times: optimizing pays.
random: export CARGO_PROFILE_DEV_OPT_LEVEL := 1
random:
	ATS_TEST_TIMES=20 PROPTEST_CASES=5120 cargo test --locked -p ats-analyzer -p ats-distr -p ats-trace \
		-p ats-reports -p ats-diagnosis -p ats-validation
	ATS_TEST_TIMES=500 cargo test --locked -p ats-compose
	ATS_TEST_TIMES=20 cargo test --locked -p ats-recorder --lib

# The examples of the recipes: the suite is built with all of them, in a copy, and the tests that they bring are run.
recipes:
	@scripts/install-missing mpi
	cargo test --locked -p ats-testing --test it -- --nocapture patches::each_works

# Undefined behaviour in what has no foreign code. Needs `rustup +nightly component add miri`.
miri:
	MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --locked -p ats-model -p ats-trace --lib
	MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --locked -p ats-mpi --test buffers

bench:
	cargo bench --locked
	cargo bench --locked -p ats-omp --features openmp --bench overhead
	cargo bench --locked -p ats-recorder --bench preloaded

# A release of what is committed: the archive, its checksum, and recipes of Spack and EasyBuild with it.
dist:
	scripts/dist target/dist

# That it is enough: the command is installed from the archive, the rest by the command, and used without the sources.
check-dist: dist
	@scripts/install-missing mpi
	scripts/check-dist target/dist

# The installed suite as an archive, for Debian's MPI libraries, and the first table with it.
check-installed:
	@scripts/install-missing landing
	scripts/dist-installed target/dist
	scripts/check-installed target/dist

# The packages of the crates that are to be published, each built from its package; nothing is published.
packages:
	scripts/packages

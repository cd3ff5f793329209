# `make first`: the shortest way to a table. `make validate`: the main job. `make test`: what shows that it is right.
# `make test-all`: the rest, which nobody has to wait for. Each installs what is missing.

.PHONY: first validate test test-virtual test-libomp test-all lint fuzz random recipes miri bench dist check-dist
.PHONY: packages

export CARGO_TERM_PROGRESS_WHEN ?= auto

# Every crate with every engine, always the same, so that nothing is built twice.
WITH_FUZZ := --locked --workspace --features ats-omp/openmp,ats-omp/rayon
EVERYTHING := $(WITH_FUZZ) --exclude ats-fuzz
# Of the tests that are left out otherwise: real runs, in which amounts are judged, one at a time.
REAL_RUNS := main_job:: foreign:: documents:: guides:: own_tool:: plans:: real_causes:: real_explanations:: scores:: --skip eztrace
# What is tested with Open MPI, and by `make test-all` with MPICH too.
BOTH_MPI := recording:: failures:: openmp:: every_function_of_a_library
# What takes longest of the tests of C and Fortran: everything with threads, and compositions.
LONG := conformance::properties_of_openmp conformance::hybrid conformance::compositions

# What the tests run is built without link-time optimization: in a third of the time, and no test looks at that.
test test-all: export CARGO_PROFILE_RELEASE_LTO := off
test test-all: export CARGO_PROFILE_RELEASE_CODEGEN_UNITS := 16

# What is installed for each. A test that asks for more fails, even if this machine has it.
test: export ATS_PROMISED = $(shell scripts/install-missing --list tests)
test-all: export ATS_PROMISED = $(shell scripts/install-missing --list all)

# No other machine takes part, so Open MPI looks for no networks, unless told to: half of each start, of which there are
# hundreds.
first validate test test-all: export OMPI_MCA_pml ?= ob1
first validate test test-all: export OMPI_MCA_btl ?= ^openib,ofi
# What processes are told when they start fits into a message; shared memory for it takes a fifth of a start.
first validate test test-all: export PMIX_MCA_gds ?= hash

# Tests that were left out, with ATS_SKIP_MISSING=1.
export ATS_LEFT_OUT := $(CURDIR)/target/left-out
LEFT_OUT = @if [ -s $(ATS_LEFT_OUT) ]; then \
	sort -u -o $(ATS_LEFT_OUT) $(ATS_LEFT_OUT); echo "left out: $$(wc -l <$(ATS_LEFT_OUT))"; cat $(ATS_LEFT_OUT); fi

# Of MPI alone: programs of threads, and of both, are built with engines of their own.
first: VALIDATE := late_sender imbalance_at_mpi_barrier

# The command takes no time in it, so it is built in the quickest way; what is measured is optimized always.
first validate:
	@scripts/install-missing mpi
	cargo build --locked --profile quick -p ats-cli
	target/quick/ats validate $(VALIDATE)

# The main job is among it.
test:
	@scripts/install-missing tests
	@rm -f $(ATS_LEFT_OUT)
	cargo test $(EVERYTHING) -- $(LONG:%=--skip %)
	cargo test $(EVERYTHING) --test it -- --ignored --test-threads=1 $(REAL_RUNS)
	$(LEFT_OUT)

# What needs nothing but Rust.
test-virtual:
	cargo test --locked

# What depends on LLVM's OpenMP runtime: the engine and the recorder.
test-libomp:
	cargo test $(EVERYTHING) --test conformance --test tool_interface
	cargo test $(EVERYTHING) --test it -- openmp::

# Browsers, applications, other tools, what is installed without the suite, threads in C and Fortran, the other MPI library and versions of the OpenMP runtime, a
# crate outside the workspace, recipes, fuzzing, and lints.
test-all:
	@scripts/install-missing all
	@rm -f $(ATS_LEFT_OUT)
	$(MAKE) --no-print-directory lint
	cargo test $(EVERYTHING) --test showing -- --ignored
	cargo test $(EVERYTHING) --test it -- --ignored --test-threads=1 away:: applications:: foreign_long:: harnesses:: standalone:: eztrace
	cargo test $(EVERYTHING) --test it -- $(LONG)
	ATS_TEST_MPI=mpich cargo test $(EVERYTHING) --test it --test mpi_headers -- $(BOTH_MPI)
	cargo test $(EVERYTHING) --test it -- --ignored rayon:: singletons a_recorder_for_another
	scripts/with-libomp others $(MAKE) --no-print-directory test-libomp
	cargo test --workspace --manifest-path examples/own-property/Cargo.toml --target-dir target --config Cargo.toml
	$(MAKE) --no-print-directory recipes
	$(MAKE) --no-print-directory fuzz
	$(LEFT_OUT)

# Form, and the English of comments and documents.
lint:
	cargo fmt --all --check
	cargo test --locked -p ats-testing --test it -- english::
	cargo clippy $(WITH_FUZZ),ats-harness/openmp,ats-harness/composition --all-targets
	cargo clippy --locked --all-targets -p ats-harness --features ats-harness/rayon
	RUSTDOCFLAGS="-D warnings" cargo doc $(EVERYTHING) --exclude ats-recorder --exclude ats-capi --no-deps --quiet

# Every fuzz target, on its seeds and on changes of them that coverage guides: without a sanitizer, so that stable Rust does.
fuzz:
	fuzz/run 20000

# Every test with random cases, with twenty times as many as usual, and compositions with eighty times: optimizing pays.
random: export CARGO_PROFILE_DEV_OPT_LEVEL := 1
random:
	ATS_TEST_TIMES=20 PROPTEST_CASES=5120 cargo test --locked -p ats-analyzer -p ats-distr -p ats-trace
	ATS_TEST_TIMES=80 cargo test --locked -p ats-compose
	ATS_TEST_TIMES=20 cargo test --locked -p ats-recorder --lib

# The examples of the recipes: the suite is built with all of them, in a copy, and the tests that they bring are run.
recipes:
	@scripts/install-missing mpi
	cargo test --locked -p ats-testing --test it -- --ignored --nocapture patches::

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

# The packages of the crates that are to be published, each built from its package; nothing is published.
packages:
	scripts/packages

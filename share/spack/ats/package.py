# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack.package import *
from spack_repo.builtin.build_systems.cargo import CargoPackage


class Ats(CargoPackage):
    """Small parallel programs that show known performance properties, and the analyzer that is validated with them."""

    homepage = "https://github.com/ats-suite/ats"
    url = "https://github.com/ats-suite/ats/releases/download/v0.1.0/ats-0.1.0.tar.gz"
    git = "https://github.com/ats-suite/ats.git"

    license("MIT OR Apache-2.0", checked_by="ats-suite")

    # `make dist` writes a copy of this file with the version and the checksum of the release that it makes.
    version("main", branch="main")

    variant("mpi", default=True, description="Recorder and programs for MPI")
    variant("openmp", default=True, description="Programs of threads, with LLVM's OpenMP runtime")

    depends_on("c", type="build")
    depends_on("rust@1.90:", type=("build", "run"))
    depends_on("mpi", type=("build", "link", "run"), when="+mpi")
    # bindgen reads mpi.h with libclang; OpenMP's runtime comes with it.
    depends_on("llvm@14:+clang", type=("build", "run"), when="+mpi")
    depends_on("llvm-openmp@14:19", type=("link", "run"), when="+openmp")

    build_directory = "crates/cli"

    def setup_build_environment(self, env):
        self.setup_run_environment(env)

    def setup_run_environment(self, env):
        if self.spec.satisfies("+mpi"):
            env.set("MPICC", self.spec["mpi"].mpicc)
        if self.spec.satisfies("+openmp"):
            env.set("LIBOMP_DIR", self.spec["llvm-openmp"].prefix.lib)

    @run_after("install")
    def install_suite(self):
        """recorder and libats, the sources that programs are built from, man pages, completions"""
        mpi = self.spec["mpi"].name if self.spec.satisfies("+mpi") else None
        choice = ["--mpi", mpi] if mpi in ("openmpi", "mpich") else ["--without-mpi"]
        Executable(self.prefix.bin.ats)("install", self.prefix, *choice)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def virtual_engine(self):
        Executable(self.prefix.bin.ats)("validate", "--engine", "virtual", "--all")

    def test_virtual_engine(self):
        """the whole circle in virtual time, which needs no launcher"""
        ats = which(self.prefix.bin.ats)
        out = ats("validate", "--engine", "virtual", "late_sender", output=str.split, error=str.split)
        assert "precision 1.000, recall 1.000" in out

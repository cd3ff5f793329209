//! Applications that solve for electrons or fields.

use std::fs;

use super::{Recorded, recorded};

/// Silicon, with the pseudopotential of ABINIT's data.
const SILICON: &str = "\
&control
  calculation = 'scf'
  pseudo_dir = '/usr/share/abinit/psp'
  outdir = 'out'
/
&system
  ibrav = 2
  celldm(1) = 10.2
  nat = 2
  ntyp = 1
  ecutwfc = 12
/
&electrons
/
ATOMIC_SPECIES
Si 28.086 14-Si.nlcc.UPF
ATOMIC_POSITIONS crystal
Si 0 0 0
Si 0.25 0.25 0.25
K_POINTS automatic
4 4 4 1 1 1
";

const ONE_THREAD: [&str; 2] = ["-x", "OMP_NUM_THREADS=1"];

impl Recorded {
    /// The line of what the application said that begins like this.
    fn line(&self, begin: &str) -> &str {
        let mut lines = self.said.lines();
        let is_it = |line: &&str| line.trim_start().starts_with(begin);
        lines.find(is_it).unwrap_or_else(|| panic!("no `{begin}` in: {}", self.said))
    }
}

#[test]
fn quantum_espresso() {
    let run = |more: &[&str]| {
        recorded(&[("si.in", SILICON)], 4, &[&ONE_THREAD[..], &["pw.x", "-in", "si.in"], more].concat())
    };
    let (divided, whole) = (run(&[]), run(&["-ndiag", "1"]));

    // A transform exchanges planes for columns once; what is exchanged besides is no transform.
    let exchanges = divided.line("fft_scatt_yz").split_once('(').unwrap().1;
    let exchanges: u64 = exchanges.split_whitespace().next().unwrap().parse().unwrap();
    assert_eq!(divided.analysis.counts["MPI_Alltoall"], 4 * (exchanges + 1));

    // Without a matrix that is divided among ranks there is nobody to send to, and the energy is the same.
    assert_eq!(divided.line("!    total energy"), whole.line("!    total energy"));
    let blacs = "MPI_Type_vector";
    assert!(divided.analysis.counts[blacs] > 10_000 && !whole.analysis.counts.contains_key(blacs));
}

/// Silicon with 10 k-points.
const TEN_POINTS: &str = "\
acell 3*10.18
rprim 0 0.5 0.5  0.5 0 0.5  0.5 0.5 0
ntypat 1
znucl 14
natom 2
typat 1 1
xred 0 0 0  0.25 0.25 0.25
pseudos \"/usr/share/abinit/psp/14_Si_psml.psp8\"
ecut 12
kptopt 1
ngkpt 4 4 4
nshiftk 4
shiftk 0.5 0.5 0.5  0.5 0 0  0 0.5 0  0 0 0.5
nstep 12
toldfe 1e-6
";

#[test]
fn abinit() {
    let recorded = recorded(&[("si.abi", TEN_POINTS)], 4, &[&ONE_THREAD[..], &["abinit", "si.abi"]].concat());
    assert!(recorded.said.contains("nkpt*nsppol (10) is not a multiple of nproc_spkpt (4)"));
    let seconds: f64 = recorded.word_after("overall_wall_time:").parse().unwrap();
    // It adds up those of the ranks, and begins after them.
    assert!(seconds <= 4.0 * recorded.elapsed, "{seconds} s");
}

/// The equation of Poisson on 300 × 300 points.
const POISSON: &str = "\
import petsc4py

petsc4py.init()
from petsc4py import PETSc

n = 300
matrix = PETSc.Mat().createAIJ([n * n, n * n], nnz=5)
for row in range(*matrix.getOwnershipRange()):
    i, j = divmod(row, n)
    matrix[row, row] = 4.0
    if i > 0:
        matrix[row, row - n] = -1.0
    if i < n - 1:
        matrix[row, row + n] = -1.0
    if j > 0:
        matrix[row, row - 1] = -1.0
    if j < n - 1:
        matrix[row, row + 1] = -1.0
matrix.assemble()
x, b = matrix.createVecs()
b.set(1.0)
solver = PETSc.KSP().create()
solver.setOperators(matrix)
solver.setType(\"cg\")
solver.getPC().setType(\"bjacobi\")
solver.setTolerances(rtol=1e-8)
solver.solve(b, x)
if PETSc.COMM_WORLD.rank == 0:
    print(\"iterations\", solver.getIterationNumber())
";

#[test]
fn petsc4py() {
    // Each build of PETSc has its own.
    let builds = fs::read_dir("/usr/lib/petscdir").expect("petsc4py is installed");
    let builds = builds.flat_map(|version| fs::read_dir(version.unwrap().path()).unwrap());
    let packages = builds.map(|build| build.unwrap().path().join("lib/python3/dist-packages"));
    let packages = packages.into_iter().find(|packages| packages.join("petsc4py").is_dir()).unwrap();
    let packages = format!("PYTHONPATH={}", packages.display());
    let run = ["-x", &packages, "-x", "OPENBLAS_NUM_THREADS=1", "/usr/bin/python3", "poisson.py"];
    let recorded = recorded(&[("poisson.py", POISSON)], 4, &[&ONE_THREAD[..], &run].concat());
    let iterations: u64 = recorded.word_after("iterations ").parse().unwrap();
    assert!(iterations > 100, "{iterations}");
    // An iteration has two inner products and a norm.
    assert!(recorded.analysis.counts["MPI_Allreduce"] >= 4 * 3 * iterations, "{iterations}");
}

//! Writes a small sound archive of three ranks in the form that `analyzer` takes, to begin fuzzing with.

use std::path::PathBuf;

use ats_trace::{ArchiveProperties, ArchiveWriter, ChunkSize};

const TRACE: &str = "
    comm pair 0 1
    metric ins accumulated
    attribute ALLOCATION_SIZE
    attribute gangs
    0: 0..3 MPI_Init; 3..5 MPI_Send send 1; 5..9 MPI_Ssend send 2 tag 7; 9..12 MPI_Barrier barrier
    0: 12..13 MPI_Irecv post 1; 13..20 MPI_Waitall irecv 2 request 1; 20..22 MPI_Bcast bcast root 0
    0: 22 with ALLOCATION_SIZE 64; 22 with gangs 3; 22 count ins 7; 22 enter malloc; 22 count ins 9; 22 with gangs 2; 22 leave; 22 count ins 8
    0: 22..30 MPI_Reduce reduce root 0; 30..31 MPI_Allreduce allreduce; 31..33 MPI_Barrier barrier on pair; 40..50 MPI_Finalize
    1: 100..103 MPI_Init; 103..110 MPI_Recv recv 0; 110..112 MPI_Barrier barrier; 114..122 MPI_Bcast bcast root 0
    1: 123..124 MPI_Reduce reduce root 0; 125..131 MPI_Allreduce allreduce; 131..133 MPI_Barrier barrier on pair
    1: 133..135 MPI_Scan scan; 140..150 MPI_Finalize
    2: 50..53 MPI_Init; 53..60 MPI_Recv recv 0 tag 7; 60..62 MPI_Barrier barrier; 62..63 MPI_Isend isend 0 request 4
    2: 63..70 MPI_Wait sent 4; 70..72 MPI_Bcast bcast root 0; 72..75 MPI_Reduce reduce root 0; 75..81 MPI_Allreduce allreduce
    2: 83..84 MPI_Scan scan; 90..100 MPI_Finalize";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name the folder for the seed")?);
    let dir = std::env::temp_dir().join(format!("ats-fuzz-seed-{}", std::process::id()));
    let trace = ats_analyzer::notation::parse(TRACE)?;
    let mut writer = ArchiveWriter::create(&dir)?.chunk(ChunkSize::MIN);
    for (definition, events) in trace.definitions.locations.iter().zip(&trace.events) {
        let location = writer.add_location(definition.id);
        for (time, event) in events {
            writer.event(location, *time, event)?;
        }
    }
    writer.finish(&trace.definitions, &ArchiveProperties::default())?;
    let mut seed = Vec::new();
    for file in ["traces.otf2", "traces.def", "traces/0.evt", "traces/1.evt", "traces/2.evt"] {
        let bytes = std::fs::read(dir.join(file))?;
        seed.extend(u16::try_from(bytes.len())?.to_le_bytes());
        seed.extend(bytes);
    }
    std::fs::remove_dir_all(&dir)?;
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("sound-archive-of-three"), seed)?;
    Ok(())
}

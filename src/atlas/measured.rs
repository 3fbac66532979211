//! What solvers took here for the rows of the published tables: `tablebases/measured.csv`.
//!
//! Times prove nothing. They stand beside the source's with the command, the machine and the day.

use super::published::Published;
use harary_certificate::Topology;
use serde::Deserialize;
use std::sync::LazyLock;

static ALL: LazyLock<Vec<Measured>> = LazyLock::new(|| {
    // The file is compiled in and a test reads it: a failure here cannot reach a user.
    read(include_str!("../../tablebases/measured.csv")).expect("the measurements are well-formed")
});

/// A measurement beside a row of a published table.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Measured {
    /// The table.
    pub table: String,
    /// The row.
    pub row: String,
    /// `plain`, `torus` or `both`.
    pub topology: String,
    /// What came out.
    pub result: String,
    /// The command.
    pub command: String,
    /// Where it ran.
    pub machine: String,
    /// The day, as 2026-11-17.
    pub date: String,
}

impl Measured {
    /// How it was measured.
    pub fn how(&self) -> String {
        let Measured { command, machine, date, .. } = self;
        format!("Measured on {date}, {machine}: {command}")
    }
}

/// All measurements, in the order of the file.
pub fn all() -> &'static [Measured] {
    &ALL
}

/// What was measured for a row.
pub fn of(published: &Published) -> Option<&'static Measured> {
    let topology = match published.topologies[..] {
        [Topology::Plain] => "plain",
        [Topology::Torus] => "torus",
        _ => "both",
    };
    let same = |measured: &&Measured| {
        (&measured.table, &measured.row, measured.topology.as_str()) == (&published.table, &published.row, topology)
    };
    all().iter().find(same)
}

/// Reads the text of a file of measurements.
fn read(text: &str) -> Result<Vec<Measured>, csv::Error> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect()
}

#[cfg(test)]
mod tests {
    use super::super::published;
    use super::*;

    #[test]
    fn every_measurement_stands_beside_a_published_row() {
        let measured = read(include_str!("../../tablebases/measured.csv")).unwrap();
        for measured in &measured {
            let beside = published::all().iter().filter(|claim| of(claim) == Some(measured));
            assert!(beside.count() > 0, "{measured:?}");
            assert!(measured.command.starts_with("harary ") && !measured.machine.is_empty(), "{measured:?}");
        }
    }
}

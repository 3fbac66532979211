//! Rows of sets and numbers, packed for a page.
//!
//! Every column has a fixed number of bytes, most significant first. They are stored byte by byte: the first byte of
//! all rows, then the second of all rows, and so on. Rows that are sorted differ little from one to the next, so this
//! deflates to a fraction, and the page can search the rows where they lie, without unpacking them into objects.

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::{Compression, write::ZlibEncoder};
use harary_certificate::CellSet;
use serde_json::{Value, json};
use std::io::Write;

/// How many bytes a number needs; none if it is always 0.
pub(super) fn bytes_for(largest: usize) -> usize {
    (usize::BITS - largest.leading_zeros()).div_ceil(8) as usize
}

pub(super) struct Table {
    columns: Vec<(&'static str, usize)>,
    /// One vector for each byte of a row.
    planes: Vec<Vec<u8>>,
    /// The column the next value belongs to, and its first byte.
    next: (usize, usize),
}

impl Table {
    pub(super) fn new(columns: &[(&'static str, usize)]) -> Table {
        let bytes = columns.iter().map(|column| column.1).sum();
        Table { columns: columns.to_vec(), planes: vec![Vec::new(); bytes], next: (0, 0) }
    }

    /// Puts a set into the next column.
    pub(super) fn set<const N: usize>(&mut self, set: CellSet<N>) -> &mut Table {
        self.value(|byte| (set.words()[byte / 8] >> (byte % 8 * 8)) as u8)
    }

    /// Puts a number into the next column.
    pub(super) fn number(&mut self, number: usize) -> &mut Table {
        self.value(|byte| (number >> (byte * 8)) as u8)
    }

    /// Takes the bytes of a value from the least significant on.
    fn value(&mut self, byte: impl Fn(usize) -> u8) -> &mut Table {
        let (column, first) = self.next;
        let bytes = self.columns[column].1;
        (0..bytes).for_each(|place| self.planes[first + place].push(byte(bytes - 1 - place)));
        self.next = if column + 1 == self.columns.len() { (0, 0) } else { (column + 1, first + bytes) };
        self
    }

    /// What the page has to know to read it: the number of rows, names and bytes of the columns.
    pub(super) fn plan(&self) -> Value {
        let columns: Vec<Value> = self.columns.iter().map(|(name, bytes)| json!([name, bytes])).collect();
        json!({ "rows": self.planes.first().map_or(0, Vec::len), "columns": columns })
    }
}

/// All tables one behind the other, deflated, as text.
pub(super) fn pack(tables: &[Table]) -> String {
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::default());
    let planes = tables.iter().flat_map(|table| &table.planes);
    let written = planes.into_iter().try_for_each(|plane| deflated.write_all(plane));
    let bytes = written.and_then(|()| deflated.finish()).expect("writing to memory does not fail");
    BASE64_STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::WideSet;
    use std::io::Read;

    #[test]
    fn numbers_take_as_many_bytes_as_they_need() {
        assert_eq!([0, 1, 255, 256, 65_535, 65_536].map(bytes_for), [0, 1, 1, 2, 2, 3]);
    }

    #[test]
    fn rows_are_stored_byte_by_byte() {
        let mut table = Table::new(&[("set", 2), ("none", 0), ("number", 1)]);
        table.set(WideSet::from_hex("102").unwrap()).number(0).number(7);
        table.set(WideSet::from_hex("304").unwrap()).number(0).number(9);
        let mut bytes = Vec::new();
        let packed = BASE64_STANDARD.decode(pack(&[table])).unwrap();
        flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, [1, 3, 2, 4, 7, 9]);
    }
}

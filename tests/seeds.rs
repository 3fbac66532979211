//! Every seed of the fuzz targets, and every certificate and game of the tests, through what the targets do: on a stable
//! compiler, so that what a fuzzer once found is never lost.

#[path = "../fuzz/src/lib.rs"]
mod formats;

use std::fs;
use std::path::Path;

#[test]
fn no_seed_panics() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, read) in formats::FORMATS {
        let mut folders = vec![root.join("fuzz/corpus").join(name)];
        match name {
            "certificate" => folders.push(root.join("tests/certificates")),
            "pg" => folders.push(root.join("tests/pg")),
            _ => {}
        }
        let mut seeds = 0;
        for folder in folders {
            for entry in fs::read_dir(&folder).expect("a folder of seeds") {
                let bytes = fs::read(entry.expect("an entry").path()).expect("a seed");
                read(&bytes);
                // Cut off, and with a byte changed in the middle.
                read(&bytes[..bytes.len() / 2]);
                let mut changed = bytes.clone();
                changed.iter_mut().skip(bytes.len() / 2).take(1).for_each(|byte| *byte ^= 0x15);
                read(&changed);
                seeds += 1;
            }
        }
        assert!(seeds > 0, "{name} has seeds");
    }
}

/// A format that has a target and no place in the list, or the other way round, would not be tried.
#[test]
fn every_format_has_a_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    let mut targets: Vec<String> = fs::read_dir(folder)
        .expect("the targets")
        .map(|entry| entry.expect("an entry").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    targets.sort();
    let mut formats: Vec<&str> = formats::FORMATS.iter().map(|(name, _)| *name).collect();
    formats.sort_unstable();
    assert_eq!(targets, formats);
}

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| harary_fuzz::cards(data));

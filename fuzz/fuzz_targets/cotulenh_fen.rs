//! `sandtable_fuzz::cotulenh::fen` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::cotulenh::fen(bytes));

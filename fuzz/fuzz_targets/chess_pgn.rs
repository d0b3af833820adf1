//! `sandtable_fuzz::chess::pgn` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::chess::pgn(bytes));

//! `sandtable_fuzz::network::file` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::network::file(bytes));

//! `sandtable_fuzz::npy::header` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::npy::header(bytes));

//! `sandtable_fuzz::session::log` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::session::log(bytes));

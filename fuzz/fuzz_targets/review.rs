//! `sandtable_fuzz::review::in_record` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::review::in_record(bytes));

//! `sandtable_fuzz::encoding::observation` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sandtable_fuzz::encoding::observation(bytes));

//! The page is part of the program: when it was built anew, so must the program be.

fn main() {
    println!("cargo::rerun-if-changed=../../web/dist");
}

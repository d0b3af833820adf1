//! Evaluations a second of an ONNX network, by batch size: `cargo run --release -p sandtable-policynet --example speed -- FILE…`

use std::error::Error;
use std::time::{Duration, Instant};

use sandtable::core::learn::Layout;
use sandtable::engine::PolicyNetwork as _;
use sandtable_policynet::OnnxNetwork;

const BATCHES: [usize; 3] = [1, 16, 64];
const TIME: Duration = Duration::from_secs(2);

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let network = OnnxNetwork::from_bytes(&std::fs::read(&path)?)?;
        let kind = network.kind();
        let mut observation = vec![0.0; kind.shape.len()];
        kind.start(network.rules())?.write_observation(Layout::Hwc, &mut observation)?;
        print!("{}", kind.name);
        for batch in BATCHES {
            let observations = observation.repeat(batch);
            let mut evaluations = 0;
            let start = Instant::now();
            while start.elapsed() < TIME {
                network.evaluate(&observations)?;
                evaluations += batch;
            }
            #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
            let rate = evaluations as f64 / start.elapsed().as_secs_f64();
            print!("  batch {batch}: {rate:.0}/s");
        }
        println!();
    }
    Ok(())
}

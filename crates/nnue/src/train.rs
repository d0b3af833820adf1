//! Training: gradient descent on positions with their expected results.
//!
//! ```
//! use sandtable_chess::Chess;
//! use sandtable_core::Position;
//! use sandtable_nnue::train::{Samples, Settings, Trainer};
//!
//! let start = Chess::start(Default::default());
//! let mut samples = Samples::default();
//! samples.push(&start, 0.0, 0.75);
//! let mut trainer = Trainer::new::<Chess>(Settings { hidden: 16, batch: 1, ..Settings::default() });
//! let before = trainer.loss(&samples);
//! for _ in 0..50 {
//!     trainer.epoch(&samples);
//! }
//! assert!(trainer.loss(&samples) < before);
//! ```

#![expect(clippy::cast_precision_loss, reason = "positions are counted in millions")]

use sandtable_core::rules::Rng;
use sandtable_core::search::Features;

use crate::Network;
use crate::network::{MAX_OUTPUT, ONE, OUTPUT_ONE};

/// Positions with their expected results, as features.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The features of all positions, one after another, as mover and opponent see them.
    features: Vec<[u16; 2]>,
    positions: Vec<Sample>,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    /// The end of its features.
    end: usize,
    stage: u8,
    /// The value to which the output of the network is added.
    base: f32,
    /// The expected result for the mover: 1 for a win, 0 for a loss.
    target: f32,
}

impl Samples {
    /// Adds a position with the expected result for the player to move: 1 for a win, 0 for a loss.
    ///
    /// `base` is the value to which the output of the network is added: 0, or the hand-made evaluation divided by the
    /// scale.
    pub fn push<P: Features>(&mut self, position: &P, base: f32, target: f32) {
        let mover = position.turn();
        position.for_each_feature(|feature| {
            self.features.push([feature[mover] as u16, feature[!mover] as u16]);
        });
        let sample = Sample { end: self.features.len(), stage: position.stage() as u8, base, target };
        self.positions.push(sample);
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    fn get(&self, index: usize) -> (&[[u16; 2]], Sample) {
        let start = if index == 0 { 0 } else { self.positions[index - 1].end };
        (&self.features[start..self.positions[index].end], self.positions[index])
    }
}

/// Settings of a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The number of neurons of the hidden layer: a multiple of 16, at most 128.
    pub hidden: usize,
    /// The number of positions between two steps.
    pub batch: usize,
    /// The learning rate at the beginning.
    pub rate: f32,
    /// The weight decay: how much of each weight is lost in a step, for each unit of the learning rate (`AdamW`).
    pub decay: f32,
    /// Whether the network corrects the hand-made evaluation: then the base of each sample is that evaluation.
    pub corrects_hand_made: bool,
    /// The seed of the first weights and of the order of positions.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hidden: 64, batch: 8192, rate: 0.001, decay: 0.01, corrects_hand_made: false, seed: 1 }
    }
}

/// A network in training.
#[derive(Clone, Debug)]
pub struct Trainer {
    settings: Settings,
    features: usize,
    places: usize,
    stages: usize,
    parameters: Parameters,
    /// Adam's averages of the gradient and of its square.
    mean: Parameters,
    square: Parameters,
    /// The hidden weights of each feature: its own weights plus the weights of its group.
    effective: Vec<f32>,
    /// The reflection of each feature.
    reflected: Vec<u16>,
    steps: u32,
    /// The number of epochs so far. A position is reflected in every other epoch.
    epochs: u32,
    rng: Rng,
    /// The learning rate of the next step.
    pub rate: f32,
}

/// The parameters of a network, or another number for each parameter, such as its gradient.
#[derive(Clone, Debug, Default)]
struct Parameters {
    /// The weights of each feature, and the biases.
    rows: Vec<f32>,
    /// Weights that the features of a group share, so that the value of a piece is learned from all places at once.
    groups: Vec<f32>,
    output: Vec<f32>,
    output_bias: Vec<f32>,
}

impl Parameters {
    fn zero(rows: usize, groups: usize, hidden: usize, stages: usize) -> Self {
        Self {
            rows: vec![0.0; rows * hidden],
            groups: vec![0.0; groups * hidden],
            output: vec![0.0; stages * 2 * hidden],
            output_bias: vec![0.0; stages],
        }
    }

    fn all(&mut self) -> [&mut Vec<f32>; 4] {
        [&mut self.rows, &mut self.groups, &mut self.output, &mut self.output_bias]
    }

    fn clear(&mut self) {
        self.all().into_iter().for_each(|numbers| numbers.fill(0.0));
    }

    /// Adds the numbers of `other`, except those of the groups, which are computed from the rows.
    fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.rows, &other.rows),
            (&mut self.output, &other.output),
            (&mut self.output_bias, &other.output_bias),
        ];
        for (to, from) in pairs {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        }
    }
}

/// A batch is divided into this many parts, whatever the number of threads, so that sums are always the same.
const PARTS: usize = 4;
/// The largest weight of the hidden layer.
const MAX_ROW: f32 = 1.98;

impl Trainer {
    /// A network with random weights.
    #[must_use]
    pub fn new<P: Features>(settings: Settings) -> Self {
        let hidden = settings.hidden;
        let groups = P::FEATURES.div_ceil(P::PLACES);
        let zero = || Parameters::zero(P::FEATURES + 1, groups, hidden, P::STAGES);
        let mut rng = Rng::new(settings.seed);
        let mut parameters = zero();
        let mut random = |numbers: &mut [f32], bound: f32| {
            for number in numbers {
                *number = (2.0 * rng.unit() as f32 - 1.0) * bound;
            }
        };
        random(&mut parameters.groups, 0.1);
        random(&mut parameters.output, 0.1);
        parameters.rows[P::FEATURES * hidden..].fill(0.3);
        let mut trainer = Self {
            settings,
            features: P::FEATURES,
            places: P::PLACES,
            stages: P::STAGES,
            parameters,
            mean: zero(),
            square: zero(),
            effective: vec![0.0; (P::FEATURES + 1) * hidden],
            reflected: (0..P::FEATURES).map(|feature| P::reflected(feature) as u16).collect(),
            steps: 0,
            epochs: 0,
            rng,
            rate: settings.rate,
        };
        trainer.update_effective();
        trainer
    }

    /// Trains on all samples once, in random order. Returns their mean loss.
    pub fn epoch(&mut self, samples: &Samples) -> f64 {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, self.rng.below(i + 1));
        }
        let mut gradients: Vec<Parameters> = (0..PARTS).map(|_| self.zero()).collect();
        let mut loss = 0.0;
        for batch in order.chunks(self.settings.batch.max(1)) {
            loss += self.step(samples, batch, &mut gradients);
        }
        self.epochs += 1;
        loss / samples.len().max(1) as f64
    }

    /// The mean squared error of the expected results.
    #[must_use]
    pub fn loss(&self, samples: &Samples) -> f64 {
        let order: Vec<usize> = (0..samples.len()).collect();
        let sums: Vec<f64> = std::thread::scope(|scope| {
            let parts = order.chunks(samples.len().div_ceil(PARTS).max(1));
            let threads: Vec<_> = parts
                .map(|part| {
                    scope.spawn(move || {
                        let mut forward = Forward::new(self.settings.hidden);
                        part.iter()
                            .map(|&index| forward.run(self, samples, index, false).1.powi(2))
                            .map(f64::from)
                            .sum()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
        });
        sums.iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// The network in integers.
    ///
    /// `scale` is the score, in centipawns, at which the odds of winning are e to 1.
    #[must_use]
    pub fn network<P: Features>(&self, scale: i32) -> Network {
        let round = |value: f32, one: i16, limit: i16| {
            (value * f32::from(one)).round().clamp(-f32::from(limit), f32::from(limit)) as i16
        };
        let mut network = Network::zero::<P>(self.settings.hidden, scale);
        network.corrects_hand_made = self.settings.corrects_hand_made;
        for (weight, value) in network.rows.as_flattened_mut().iter_mut().zip(&self.effective) {
            *weight = round(*value, ONE, i16::MAX);
        }
        for (weight, value) in network.output.as_flattened_mut().iter_mut().zip(&self.parameters.output) {
            *weight = round(*value, OUTPUT_ONE, MAX_OUTPUT);
        }
        for (bias, value) in network.output_bias.iter_mut().zip(&self.parameters.output_bias) {
            *bias = (value * f32::from(ONE) * f32::from(OUTPUT_ONE)).round() as i32;
        }
        network
    }

    /// The state of the training as bytes, from which [`resume`](Self::resume) continues.
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut bytes = self.steps.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.epochs.to_le_bytes());
        bytes.extend_from_slice(&self.rng.state().to_le_bytes());
        let mut copy = (self.parameters.clone(), self.mean.clone(), self.square.clone());
        for numbers in copy.0.all().into_iter().chain(copy.1.all()).chain(copy.2.all()) {
            for number in numbers {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
        }
        bytes
    }

    /// Restores the state of a training with the same settings. Returns whether the bytes have the right length.
    pub fn resume(&mut self, bytes: &[u8]) -> bool {
        let numbers: usize = self.parameters.all().iter().map(|numbers| numbers.len()).sum();
        if bytes.len() != 4 + 4 + 8 + 3 * 4 * numbers {
            return false;
        }
        let (steps, rest) = bytes.split_at(4);
        let (epochs, rest) = rest.split_at(4);
        let (state, rest) = rest.split_at(8);
        self.steps = u32::from_le_bytes(steps.try_into().expect("four bytes"));
        self.epochs = u32::from_le_bytes(epochs.try_into().expect("four bytes"));
        self.rng = Rng::new(u64::from_le_bytes(state.try_into().expect("eight bytes")));
        let mut stored =
            rest.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes")));
        for parameters in [&mut self.parameters, &mut self.mean, &mut self.square] {
            for numbers in parameters.all() {
                numbers.iter_mut().zip(&mut stored).for_each(|(number, stored)| *number = stored);
            }
        }
        self.update_effective();
        true
    }

    fn zero(&self) -> Parameters {
        let groups = self.features.div_ceil(self.places);
        Parameters::zero(self.features + 1, groups, self.settings.hidden, self.stages)
    }

    /// One step of Adam. Returns the sum of the losses.
    fn step(&mut self, samples: &Samples, batch: &[u32], gradients: &mut [Parameters]) -> f64 {
        let this = &*self;
        let losses: Vec<f64> = std::thread::scope(|scope| {
            let parts = batch.chunks(batch.len().div_ceil(PARTS));
            let threads: Vec<_> = parts
                .zip(gradients.iter_mut())
                .map(|(part, gradient)| scope.spawn(move || this.accumulate(samples, part, gradient)))
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
        });
        let (gradient, others) = gradients.split_first_mut().expect("there are several parts");
        for other in &others[..losses.len() - 1] {
            gradient.add(other);
        }
        self.sum_groups(gradient);
        self.descend(gradient, batch.len());
        losses.iter().sum()
    }

    /// Adds the gradients of some samples. Returns the sum of their losses.
    fn accumulate(&self, samples: &Samples, part: &[u32], gradient: &mut Parameters) -> f64 {
        gradient.clear();
        let mut forward = Forward::new(self.settings.hidden);
        let mut loss = 0.0;
        for &index in part {
            // Each position is reflected in every other epoch.
            let (expected, error) =
                forward.run(self, samples, index as usize, (self.epochs + index) % 2 == 1);
            loss += f64::from(error * error);
            let (_, sample) = samples.get(index as usize);
            // The derivative of the squared error by the output, through the logistic function.
            let slope = 2.0 * error * expected * (1.0 - expected);
            self.backward(&mut forward, sample.stage.into(), slope, gradient);
        }
        loss
    }

    fn backward(&self, forward: &mut Forward, stage: usize, slope: f32, gradient: &mut Parameters) {
        let hidden = self.settings.hidden;
        gradient.output_bias[stage] += slope;
        let output = stage * 2 * hidden;
        let Forward { hidden: layers, features } = forward;
        for (viewer, values) in layers.iter_mut().enumerate() {
            let weights = &self.parameters.output[output + viewer * hidden..][..hidden];
            let to = &mut gradient.output[output + viewer * hidden..][..hidden];
            for ((value, weight), to) in values.iter_mut().zip(weights).zip(to) {
                let clipped = value.clamp(0.0, 1.0);
                *to += slope * clipped * clipped;
                // From here on, the derivative by the hidden value, which is 0 where it is clipped.
                *value = if (0.0..=1.0).contains(value) { slope * 2.0 * clipped * weight } else { 0.0 };
            }
            let bias = &mut gradient.rows[self.features * hidden..];
            bias.iter_mut().zip(&*values).for_each(|(to, value)| *to += value);
            for feature in &*features {
                let row = &mut gradient.rows[usize::from(feature[viewer]) * hidden..][..hidden];
                row.iter_mut().zip(&*values).for_each(|(to, value)| *to += value);
            }
        }
    }

    /// The gradient of a group is the sum of the gradients of its features.
    fn sum_groups(&self, gradient: &mut Parameters) {
        let hidden = self.settings.hidden;
        let Parameters { rows, groups, .. } = gradient;
        groups.fill(0.0);
        for (feature, row) in rows.chunks_exact(hidden).take(self.features).enumerate() {
            let group = &mut groups[feature / self.places * hidden..][..hidden];
            group.iter_mut().zip(row).for_each(|(to, from)| *to += from);
        }
    }

    fn descend(&mut self, gradient: &mut Parameters, batch: usize) {
        const MEAN_DECAY: f32 = 0.9;
        const SQUARE_DECAY: f32 = 0.999;
        self.steps += 1;
        let steps = self.steps.min(1 << 20).cast_signed();
        let rate = self.rate * (1.0 - SQUARE_DECAY.powi(steps)).sqrt() / (1.0 - MEAN_DECAY.powi(steps));
        let keep = 1.0 - self.rate * self.settings.decay;
        let scale = 1.0 / batch as f32;
        let limits = [MAX_ROW, MAX_ROW, f32::from(MAX_OUTPUT) / f32::from(OUTPUT_ONE), f32::INFINITY];
        let numbers = self.parameters.all().into_iter().zip(self.mean.all()).zip(self.square.all());
        for (((values, means), squares), (gradients, limit)) in
            numbers.zip(gradient.all().into_iter().zip(limits))
        {
            let numbers = values.iter_mut().zip(means.iter_mut()).zip(squares.iter_mut());
            for (((value, mean), square), gradient) in numbers.zip(gradients.iter()) {
                let gradient = gradient * scale;
                *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
                *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
                let step = rate * *mean / (square.sqrt() + 1e-8);
                *value = (*value * keep - step).clamp(-limit, limit);
            }
        }
        self.update_effective();
    }

    fn update_effective(&mut self) {
        let hidden = self.settings.hidden;
        let Parameters { rows, groups, .. } = &self.parameters;
        self.effective.copy_from_slice(rows);
        for (feature, row) in self.effective.chunks_exact_mut(hidden).take(self.features).enumerate() {
            let group = &groups[feature / self.places * hidden..][..hidden];
            row.iter_mut().zip(group).for_each(|(to, from)| *to = (*to + from).clamp(-MAX_ROW, MAX_ROW));
        }
    }
}

/// A sample with its hidden layer, as mover and opponent see it.
struct Forward {
    hidden: [Vec<f32>; 2],
    /// The features, reflected or not.
    features: Vec<[u16; 2]>,
}

impl Forward {
    fn new(hidden: usize) -> Self {
        Self { hidden: [vec![0.0; hidden], vec![0.0; hidden]], features: Vec::new() }
    }

    /// Returns the expected result of a sample and its error.
    fn run(&mut self, trainer: &Trainer, samples: &Samples, index: usize, reflect: bool) -> (f32, f32) {
        let (features, sample) = samples.get(index);
        let seen = |feature: u16| if reflect { trainer.reflected[usize::from(feature)] } else { feature };
        self.features.clear();
        self.features.extend(features.iter().map(|pair| pair.map(seen)));
        let hidden = trainer.settings.hidden;
        let stage = usize::from(sample.stage);
        let mut output = sample.base + trainer.parameters.output_bias[stage];
        for (viewer, values) in self.hidden.iter_mut().enumerate() {
            values.copy_from_slice(&trainer.effective[trainer.features * hidden..]);
            for feature in &self.features {
                let row = &trainer.effective[usize::from(feature[viewer]) * hidden..][..hidden];
                values.iter_mut().zip(row).for_each(|(value, weight)| *value += weight);
            }
            let weights = &trainer.parameters.output[(2 * stage + viewer) * hidden..][..hidden];
            output += values
                .iter()
                .zip(weights)
                .map(|(value, weight)| value.clamp(0.0, 1.0).powi(2) * weight)
                .sum::<f32>();
        }
        let expected = 1.0 / (1.0 + (-output).exp());
        (expected, expected - sample.target)
    }
}

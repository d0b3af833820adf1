//! Inference with rten; no other module uses that library.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rten::{DataType, Dimension, NodeId, RunOptions, ThreadPool, ValueType, ValueView};
use rten_tensor::NdTensorView;
use rten_tensor::prelude::*;
use sandtable::core::learn::Shape;
use sandtable::engine::{PolicyError, PolicyOutput};

use crate::OnnxError;

const INPUT: &str = "observations";
const HEAD: &str = "head";
const WDL: &str = "wdl";

/// A parsed file.
pub(crate) struct File(rten::Model);

impl File {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, OnnxError> {
        // Every sequence of fields is a valid message, so that an empty file is one without a graph.
        if bytes.is_empty() {
            return Err(OnnxError::Format("it contains no graph".to_owned()));
        }
        let mut options = rten::ModelOptions::with_all_ops();
        options.prepack_weights(true);
        // The library asserts some properties of graphs that a damaged file may not have.
        let model = catch_unwind(AssertUnwindSafe(|| options.load(bytes.to_vec())));
        let model = model.map_err(|_| OnnxError::Unsupported("its graph is damaged".to_owned()))?;
        model.map(Self).map_err(|e| OnnxError::Format(e.to_string()))
    }

    pub(crate) fn metadata(&self, key: &'static str) -> Result<&str, OnnxError> {
        self.0.metadata().get(key).ok_or(OnnxError::NoMetadata(key))
    }

    fn name(&self, id: NodeId) -> Option<&str> {
        self.0.node_info(id)?.name()
    }

    fn output(&self, name: &'static str, missing: &'static str) -> Result<NodeId, OnnxError> {
        let mut outputs = self.0.output_ids().iter().copied();
        outputs.find(|&id| self.name(id) == Some(name)).ok_or(OnnxError::Missing(missing))
    }

    /// Checks the declared type of the input or of an output, as far as the file declares one; the first dimension is the batch.
    fn check(&self, id: NodeId, name: &'static str, extents: &[usize]) -> Result<(), OnnxError> {
        let Some(info) = self.0.node_info(id) else { return Ok(()) };
        let fits_type = info.dtype().is_none_or(|dtype| dtype == ValueType::Tensor(DataType::Float));
        let Some(found) = info.shape().filter(|_| fits_type) else {
            return if fits_type {
                Ok(())
            } else {
                Err(OnnxError::Unsupported(format!("{name} is not float32")))
            };
        };
        let fits = |(found, expected): (&Dimension, &usize)| match found {
            Dimension::Fixed(found) => found == expected,
            Dimension::Symbolic(_) => true,
        };
        if found.len() == extents.len() + 1 && found[1..].iter().zip(extents).all(fits) {
            return Ok(());
        }
        let found = found.iter().map(|size| match size {
            Dimension::Fixed(size) => size.to_string(),
            Dimension::Symbolic(_) => "n".to_owned(),
        });
        Err(OnnxError::Shape {
            name,
            expected: shape_text("n", extents),
            found: format!("({})", found.collect::<Vec<_>>().join(", ")),
        })
    }
}

/// A network that is ready to be evaluated.
pub(crate) struct Model {
    network: rten::Model,
    shape: Shape,
    head_shape: Shape,
    input: NodeId,
    head: NodeId,
    wdl: NodeId,
    /// One thread: a search already evaluates one batch on each of its threads.
    threads: Arc<ThreadPool>,
}

impl Model {
    /// Prepares the network for observations and heads of these shapes.
    pub(crate) fn new(file: File, shape: Shape, head_shape: Shape) -> Result<Self, OnnxError> {
        let &[input] = file.0.input_ids() else {
            return Err(OnnxError::Missing("single input `observations`"));
        };
        if file.name(input) != Some(INPUT) {
            return Err(OnnxError::Missing("single input `observations`"));
        }
        let (head, wdl) = (file.output(HEAD, "output `head`")?, file.output(WDL, "output `wdl`")?);
        file.check(input, INPUT, &extents(shape))?;
        file.check(head, HEAD, &extents(head_shape))?;
        file.check(wdl, WDL, &[3])?;
        let threads = Arc::new(ThreadPool::with_num_threads(1));
        Ok(Self { network: file.0, shape, head_shape, input, head, wdl, threads })
    }

    /// Evaluates observations, one after the other.
    pub(crate) fn run(&self, observations: &[f32]) -> Result<PolicyOutput, PolicyError> {
        let count = observations.len() / self.shape.len();
        let Shape { rows, cols, planes } = self.shape;
        let input = NdTensorView::from_data([count, rows, cols, planes], observations);
        let input = (self.input, ValueView::from(input.as_dyn()).into());
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.threads)));
        let run = || self.network.run_n(vec![input], [self.head, self.wdl], Some(options));
        let found = catch_unwind(AssertUnwindSafe(run));
        let found = found.map_err(|_| PolicyError::Inference("the graph is damaged".to_owned()))?;
        let [head, wdl] = found.map_err(|e| PolicyError::Inference(e.to_string()))?;
        let head = numbers(head, HEAD, count, &extents(self.head_shape))?;
        let wdl = numbers(wdl, WDL, count, &[3])?;
        Ok(PolicyOutput { head, wdl: wdl.as_chunks().0.to_vec() })
    }
}

/// The numbers of an output, if it has the expected shape.
fn numbers(
    value: rten::Value,
    name: &'static str,
    count: usize,
    extents: &[usize],
) -> Result<Vec<f32>, PolicyError> {
    let tensor =
        rten_tensor::Tensor::<f32>::try_from(value).map_err(|e| PolicyError::Inference(e.to_string()))?;
    if tensor.shape().split_first() != Some((&count, extents)) {
        let expected = shape_text(&count.to_string(), extents);
        return Err(PolicyError::Inference(format!(
            "{name} has the shape {:?}, not {expected}",
            tensor.shape()
        )));
    }
    Ok(tensor.into_data())
}

const fn extents(Shape { rows, cols, planes }: Shape) -> [usize; 3] {
    [rows, cols, planes]
}

fn shape_text(batch: &str, extents: &[usize]) -> String {
    let extents: Vec<_> = extents.iter().map(|extent| format!(", {extent}")).collect();
    format!("({batch}{})", extents.concat())
}

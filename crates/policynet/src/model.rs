//! The inference: all that knows the library that evaluates networks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use sandtable::core::learn::Shape;
use sandtable::engine::{PolicyError, PolicyOutput};
use tract_onnx::pb::{ModelProto, TypeProto, ValueInfoProto, tensor_shape_proto, type_proto};
use tract_onnx::prelude::{
    DatumType, Framework as _, InferenceFact, InferenceModelExt as _, IntoRunnable as _, TValue, Tensor,
    TractResult, TypedRunnableModel, tvec,
};

use crate::OnnxError;

/// The batch sizes that the network is prepared for, largest first. The last is 1.
const BATCH_SIZES: [usize; 2] = [8, 1];

const INPUT: &str = "observations";
const HEAD: &str = "head";
const WDL: &str = "wdl";

/// A parsed file.
pub(crate) struct File(ModelProto);

impl File {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, OnnxError> {
        let proto = tract_onnx::onnx().proto_model_for_read(&mut &*bytes);
        let proto = proto.map_err(|e| OnnxError::Format(e.to_string()))?;
        // Every sequence of fields is a valid message, an empty file too.
        if proto.graph.is_none() {
            return Err(OnnxError::Format("it contains no graph".to_owned()));
        }
        Ok(Self(proto))
    }

    pub(crate) fn metadata(&self, key: &'static str) -> Result<&str, OnnxError> {
        let entry = self.0.metadata_props.iter().find(|entry| entry.key == key);
        entry.map(|entry| entry.value.as_str()).ok_or(OnnxError::NoMetadata(key))
    }

    fn inputs(&self) -> Vec<&ValueInfoProto> {
        let graph = self.0.graph.iter();
        // Older files list the weights as inputs too.
        let is_weight = |name: &str| self.0.graph.iter().flat_map(|g| &g.initializer).any(|w| w.name == name);
        graph.flat_map(|graph| &graph.input).filter(|input| !is_weight(&input.name)).collect()
    }

    /// The number of an output.
    fn output(&self, name: &'static str, missing: &'static str) -> Result<usize, OnnxError> {
        let mut outputs = self.0.graph.iter().flat_map(|graph| &graph.output);
        outputs.position(|output| output.name == name).ok_or(OnnxError::Missing(missing))
    }
}

/// The dimensions in the type of an input, if it has them; `None` for a dimension without a number.
fn dimensions(value: &ValueInfoProto) -> Option<Vec<Option<i64>>> {
    let TypeProto { value: Some(type_proto::Value::TensorType(tensor)), .. } = value.r#type.as_ref()? else {
        return None;
    };
    let dimension = |dimension: &tensor_shape_proto::Dimension| match dimension.value {
        Some(tensor_shape_proto::dimension::Value::DimValue(size)) => Some(size),
        _ => None,
    };
    Some(tensor.shape.as_ref()?.dim.iter().map(dimension).collect())
}

/// A network that is ready to be evaluated.
pub(crate) struct Model {
    shape: Shape,
    /// The network for each of [`BATCH_SIZES`].
    plans: [Arc<TypedRunnableModel>; BATCH_SIZES.len()],
    /// The numbers of the outputs.
    head: usize,
    wdl: usize,
    head_len: usize,
}

impl Model {
    /// Prepares the network for observations and heads of these shapes.
    pub(crate) fn new(file: &File, shape: Shape, head_shape: Shape) -> Result<Self, OnnxError> {
        let inputs = file.inputs();
        let [input] = inputs[..] else { return Err(OnnxError::Missing("single input `observations`")) };
        if input.name != INPUT {
            return Err(OnnxError::Missing("single input `observations`"));
        }
        let extents = [shape.rows, shape.cols, shape.planes];
        if let Some(found) = dimensions(input) {
            let fits = |(found, expected): (&Option<i64>, &usize)| {
                found.is_none_or(|found| usize::try_from(found) == Ok(*expected))
            };
            if found.len() != 4 || !found[1..].iter().zip(&extents).all(fits) {
                let found = found.iter().map(|size| size.map_or("n".to_owned(), |size| size.to_string()));
                return Err(OnnxError::Shape {
                    name: INPUT,
                    expected: shape_text("n", &extents),
                    found: format!("({})", found.collect::<Vec<_>>().join(", ")),
                });
            }
        }
        let (head, wdl) = (file.output(HEAD, "output `head`")?, file.output(WDL, "output `wdl`")?);
        let head_extents = [head_shape.rows, head_shape.cols, head_shape.planes];
        let prepare = |batch: usize| {
            // The library asserts some properties of graphs that a damaged file may not have.
            let plan = catch_unwind(AssertUnwindSafe(|| prepare(&file.0, batch, extents)));
            let plan = plan.map_err(|_| OnnxError::Unsupported("its graph is damaged".to_owned()))?;
            let plan = plan.map_err(|e| OnnxError::Unsupported(format!("{e:#}")))?;
            check_output(&plan, head, HEAD, batch, &head_extents)?;
            check_output(&plan, wdl, WDL, batch, &[3])?;
            Ok::<_, OnnxError>(plan)
        };
        let plans = [prepare(BATCH_SIZES[0])?, prepare(BATCH_SIZES[1])?];
        Ok(Self { shape, plans, head, wdl, head_len: head_shape.len() })
    }

    /// Evaluates observations, one after the other.
    pub(crate) fn run(&self, observations: &[f32]) -> Result<PolicyOutput, PolicyError> {
        let count = observations.len() / self.shape.len();
        let mut output =
            PolicyOutput { head: Vec::with_capacity(count * self.head_len), wdl: Vec::with_capacity(count) };
        let mut rest = observations;
        for (plan, batch) in self.plans.iter().zip(BATCH_SIZES) {
            let mut batches = rest.chunks_exact(batch * self.shape.len());
            for observations in &mut batches {
                let ran = self.run_plan(plan, batch, observations, &mut output);
                ran.map_err(|e| PolicyError::Inference(format!("{e:#}")))?;
            }
            rest = batches.remainder();
        }
        Ok(output)
    }

    fn run_plan(
        &self,
        plan: &Arc<TypedRunnableModel>,
        batch: usize,
        observations: &[f32],
        output: &mut PolicyOutput,
    ) -> TractResult<()> {
        let Shape { rows, cols, planes } = self.shape;
        let input = Tensor::from_shape(&[batch, rows, cols, planes], observations)?;
        let found = plan.run(tvec![TValue::from(input)])?;
        output.head.extend_from_slice(found[self.head].try_as_plain_ram()?.as_slice::<f32>()?);
        let wdl = found[self.wdl].try_as_plain_ram()?;
        output.wdl.extend_from_slice(wdl.as_slice::<f32>()?.as_chunks().0);
        Ok(())
    }
}

/// Optimises the network for a batch size.
fn prepare(proto: &ModelProto, batch: usize, extents: [usize; 3]) -> TractResult<Arc<TypedRunnableModel>> {
    let [rows, columns, planes] = extents;
    let fact = InferenceFact::dt_shape(DatumType::F32, [batch, rows, columns, planes]);
    let model = tract_onnx::onnx().model_for_proto_model(proto)?.with_input_fact(0, fact)?;
    // Declared shapes with a symbolic batch would contradict the concrete one.
    let model = model.with_output_fact(0, InferenceFact::default())?;
    let model = model.with_output_fact(1, InferenceFact::default())?;
    model.into_optimized()?.into_runnable()
}

/// Checks the shape and type of an output.
fn check_output(
    plan: &TypedRunnableModel,
    number: usize,
    name: &'static str,
    batch: usize,
    extents: &[usize],
) -> Result<(), OnnxError> {
    let fact = plan.model().output_fact(number).map_err(|e| OnnxError::Unsupported(e.to_string()))?;
    let found = fact.shape.as_concrete();
    let is_expected = found.is_some_and(|found| found.split_first() == Some((&batch, extents)))
        && fact.datum_type == DatumType::F32;
    if is_expected {
        return Ok(());
    }
    Err(OnnxError::Shape {
        name,
        expected: shape_text(&batch.to_string(), extents),
        found: format!("{fact:?}"),
    })
}

fn shape_text(batch: &str, extents: &[usize]) -> String {
    let extents: Vec<_> = extents.iter().map(|extent| format!(", {extent}")).collect();
    format!("({batch}{})", extents.concat())
}

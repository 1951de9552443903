//! Files as the dictionaries of python-hcl2 before version 8, and of checkov's fork.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use simd_hcl::structure::{File, FileAttribute, FileBlock, FileBody, Item};

use crate::earlier_values::{Values, without_quotes};
use crate::error::{self, conflict};
use crate::syntax::bytes_of;
use crate::tool::Earlier;

/// Returns a file without errors as a dictionary.
pub(crate) fn file<'py>(
    py: Python<'py>,
    file: File<'_>,
    tool: &Earlier,
) -> PyResult<Bound<'py, PyDict>> {
    let mut values = Values::new(py, *tool, file.source().bytes().len());
    let result = PyDict::new(py);
    let mut open = vec![Level::new(file.body(), result.clone())];
    while let Some(level) = open.last_mut() {
        match level.items.next() {
            None => {
                level.finish()?;
                open.pop();
            }
            Some(Item::Attribute(attribute)) => level.attribute(attribute, &mut values)?,
            Some(Item::Block(block)) => {
                let body = level.block(block, tool)?;
                open.push(body);
            }
        }
    }
    Ok(result)
}

/// A body whose items are being read.
struct Level<'a, 'py> {
    items: Box<dyn Iterator<Item = Item<'a>> + 'a>,
    result: Bound<'py, PyDict>,
    /// The lists of blocks by type.
    blocks: Bound<'py, PyDict>,
    /// The block, and the dictionary that has its lines.
    block: Option<(FileBlock<'a>, Bound<'py, PyDict>)>,
}

impl<'a, 'py> Level<'a, 'py> {
    fn new(body: FileBody<'a>, result: Bound<'py, PyDict>) -> Self {
        let blocks = PyDict::new(result.py());
        Self { items: Box::new(body.items()), result, blocks, block: None }
    }

    fn attribute(
        &mut self,
        attribute: FileAttribute<'a>,
        values: &mut Values<'py>,
    ) -> PyResult<()> {
        let name = attribute.name();
        let expression = match attribute.expression() {
            Ok(expression) => expression,
            Err(found) => {
                return Err(error::exception(error::owned(std::slice::from_ref(found))));
            }
        };
        let value = values.value(expression)?;
        if !values.tool.is_checkov {
            if self.blocks.contains(name)? {
                return Err(conflict(attribute.source(), attribute.name_span(), name));
            }
            return self.result.set_item(name, value);
        }
        match self.blocks.get_item(name)? {
            // A block has the same name.
            Some(list) => {
                let list = list.cast_into::<PyList>().map_err(PyErr::from)?;
                match value.cast::<PyList>() {
                    Ok(elements) => elements.iter().try_for_each(|element| list.append(element)),
                    Err(_) => list.append(value),
                }
            }
            None => {
                let list = PyList::new(self.result.py(), [value])?;
                self.blocks.set_item(name, &list)?;
                self.result.set_item(name, list)
            }
        }
    }

    /// Adds a block. Returns the level of its body.
    fn block(&mut self, block: FileBlock<'a>, tool: &Earlier) -> PyResult<Self> {
        let py = self.result.py();
        let block_type = block.block_type();
        let list = match self.blocks.get_item(block_type)? {
            Some(list) => list.cast_into::<PyList>().map_err(PyErr::from)?,
            None if self.result.contains(block_type)? => {
                return Err(conflict(block.source(), block.type_span(), block_type));
            }
            None => {
                let list = PyList::empty(py);
                self.blocks.set_item(block_type, &list)?;
                self.result.set_item(block_type, &list)?;
                list
            }
        };
        let body = PyDict::new(py);
        // The dictionaries from the type to the body.
        let mut levels = vec![body.clone()];
        let spans: Vec<_> = block.label_spans().collect();
        for span in spans.into_iter().rev() {
            let label = without_quotes(bytes_of(block.source(), span.start, span.end), tool);
            let outer = PyDict::new(py);
            if let Some(inner) = levels.last() {
                outer.set_item(label, inner)?;
            }
            levels.push(outer);
        }
        levels.reverse();
        if let Some(outer) = levels.first() {
            list.append(outer)?;
        }
        let lined = match tool.is_checkov {
            false => tool.with_meta.then(|| body.clone()),
            true => {
                let labels = match block_type {
                    "locals" | "terraform" => Some(0),
                    "module" | "provider" | "variable" => Some(1),
                    "data" | "resource" => Some(2),
                    _ => None,
                };
                labels.and_then(|labels: usize| levels.get(labels).cloned())
            }
        };
        Ok(Self { block: lined.map(|it| (block, it)), ..Self::new(block.body(), body) })
    }

    /// Adds the lines of the block.
    fn finish(&self) -> PyResult<()> {
        let Some((block, lined)) = &self.block else { return Ok(()) };
        let (start, end) = block.source().range(block.span());
        lined.set_item("__start_line__", start.line)?;
        lined.set_item("__end_line__", end.line)
    }
}

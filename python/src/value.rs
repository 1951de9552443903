//! JSON values as Python values.

use num_bigint::BigInt;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use simd_hcl::json::{Elements, JsonNumber, JsonValue, Members, Node};

/// The most digits of an integer: what Python converts by default, too.
pub(crate) const MAX_DIGITS: usize = 4300;

/// The length of a text in bytes from which the collector waits until its value is made.
const LONG: usize = 64 << 10;

/// Makes the value of a text. Meanwhile Python does not search for cycles: it would look at each new
/// dictionary several times, and none of them is in a cycle.
pub(crate) fn without_collector<R>(
    py: Python<'_>,
    text_len: usize,
    make: impl FnOnce() -> PyResult<R>,
) -> PyResult<R> {
    if text_len < LONG {
        return make();
    }
    let collector = py.import(intern!(py, "gc"))?;
    if !collector.call_method0(intern!(py, "isenabled"))?.is_truthy()? {
        return make();
    }
    collector.call_method0(intern!(py, "disable"))?;
    let _paused = Paused(collector);
    make()
}

/// Python's collector, which runs again when this is dropped.
struct Paused<'py>(Bound<'py, PyModule>);

impl Drop for Paused<'_> {
    fn drop(&mut self) {
        // It has no errors: the module was there when it was paused.
        drop(self.0.call_method0(intern!(self.0.py(), "enable")));
    }
}

/// Names that were used lately, as strings of Python: most documents repeat few names.
pub(crate) struct Names<'a, 'py> {
    py: Python<'py>,
    slots: Vec<Option<(&'a str, Bound<'py, PyString>)>>,
}

impl<'a, 'py> Names<'a, 'py> {
    const SLOTS: usize = 1024;

    /// Without names.
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self { py, slots: Vec::new() }
    }

    /// Returns a name. Of two names with the same slot, the last one is kept.
    pub(crate) fn get(&mut self, name: &'a str) -> Bound<'py, PyString> {
        let bytes = name.as_bytes();
        let mut hash = bytes.len() as u64;
        for byte in bytes.iter().take(8).chain(bytes.iter().rev().take(8)) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        }
        let slot = (hash >> 24) as usize % Self::SLOTS;
        if self.slots.is_empty() {
            self.slots.resize_with(Self::SLOTS, || None);
        }
        if let Some((known, string)) = &self.slots[slot]
            && *known == name
        {
            return string.clone();
        }
        let string = PyString::new(self.py, name);
        self.slots[slot] = Some((name, string.clone()));
        string
    }
}

/// A container whose elements are being converted.
enum Open<'a, 'py> {
    Array(Elements<'a>, Bound<'py, PyList>),
    Object(Members<'a>, Bound<'py, PyDict>),
}

/// Returns the value of a node: a dictionary, a list, a string, a number, a Boolean or `None`. Of
/// members with the same name, the last one counts. Does not recurse.
pub(crate) fn to_python<'py>(py: Python<'py>, node: Node<'_>) -> PyResult<Bound<'py, PyAny>> {
    without_collector(py, node.text().len(), || all(py, node))
}

fn all<'py>(py: Python<'py>, node: Node<'_>) -> PyResult<Bound<'py, PyAny>> {
    let mut names = Names::new(py);
    let (result, first) = one(py, node)?;
    let mut open = Vec::new();
    open.extend(first);
    while let Some(container) = open.last_mut() {
        let inner = match container {
            Open::Array(elements, list) => match elements.next() {
                Some(element) => {
                    let (value, inner) = one(py, element)?;
                    list.append(value)?;
                    inner
                }
                None => {
                    open.pop();
                    continue;
                }
            },
            Open::Object(members, dict) => match members.next() {
                Some(member) => {
                    let (value, inner) = one(py, member.value())?;
                    dict.set_item(names.get(member.name().to_str()), value)?;
                    inner
                }
                None => {
                    open.pop();
                    continue;
                }
            },
        };
        open.extend(inner);
    }
    Ok(result)
}

fn one<'a, 'py>(
    py: Python<'py>,
    node: Node<'a>,
) -> PyResult<(Bound<'py, PyAny>, Option<Open<'a, 'py>>)> {
    Ok(match node.value() {
        JsonValue::Null => (py.None().into_bound(py), None),
        JsonValue::Bool(value) => (value.into_pyobject(py)?.to_owned().into_any(), None),
        JsonValue::Number(number) => (to_number(py, number)?, None),
        JsonValue::String(text) => (PyString::new(py, text.to_str()).into_any(), None),
        JsonValue::Array(array) => {
            let list = PyList::empty(py);
            (list.clone().into_any(), Some(Open::Array(array.elements(), list)))
        }
        JsonValue::Object(object) => {
            let dict = PyDict::new(py);
            (dict.clone().into_any(), Some(Open::Object(object.members(), dict)))
        }
    })
}

/// Digits are an integer; other numbers are the nearest `float`, as `json.loads` does.
fn to_number<'py>(py: Python<'py>, number: JsonNumber<'_>) -> PyResult<Bound<'py, PyAny>> {
    let text = number.text();
    let is_integer = !text.contains(['.', 'e', 'E']) && text.len() <= MAX_DIGITS;
    if is_integer && let Some(integer) = number.as_i64() {
        return Ok(integer.into_pyobject(py)?.into_any());
    }
    if is_integer && let Ok(integer) = text.parse::<BigInt>() {
        return Ok(integer.into_pyobject(py)?.into_any());
    }
    Ok(number.to_f64_lossy().into_pyobject(py)?.into_any())
}

/// An integer, or the nearest `float` of a number with a point or an exponent; `None` if it has too
/// many digits, or is too large for a `float`.
pub(crate) fn number<'py>(
    py: Python<'py>,
    digits: &str,
    is_negative: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if digits.len() > MAX_DIGITS {
        return Ok(None);
    }
    if digits.contains(['e', 'E', '.']) {
        let Ok(number) = digits.parse::<f64>() else { return Ok(None) };
        let number = if is_negative { -number } else { number };
        return Ok(match number.is_finite() {
            true => Some(number.into_pyobject(py)?.into_any()),
            false => None,
        });
    }
    if let Ok(number) = digits.parse::<i64>() {
        let number = if is_negative { -number } else { number };
        return Ok(Some(number.into_pyobject(py)?.into_any()));
    }
    let Ok(number) = digits.parse::<BigInt>() else { return Ok(None) };
    let number = if is_negative { -number } else { number };
    Ok(Some(number.into_pyobject(py)?.into_any()))
}

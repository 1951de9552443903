//! The tools whose dictionaries are copied: versions of python-hcl2, and checkov's fork of it.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How a tool before python-hcl2 8 makes values. Its versions differ in these points.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Earlier {
    /// Lists around attributes, lines of some types of blocks, and its own rules for quotes:
    /// bc-python-hcl2.
    pub(crate) is_checkov: bool,
    /// `__start_line__` and `__end_line__` in each block.
    pub(crate) with_meta: bool,
    /// Lists and objects inside of text are HCL, more or less, and escapes are resolved. Otherwise they
    /// are written as Python does, and escapes stay.
    pub(crate) is_inline: bool,
    /// `bool`, `number` and `string` are strings, and a minus sign belongs to its number.
    pub(crate) has_types: bool,
    /// Parentheses stay, and `null` inside of text is `null` in most places.
    pub(crate) has_parentheses: bool,
    /// A key in parentheses is `${(key)}`.
    pub(crate) has_key_expressions: bool,
    /// Numbers with an `e` stay text, and operations remove `${}` around operands.
    pub(crate) has_exponents: bool,
    /// Interpolations in strings are parsed.
    pub(crate) parses_strings: bool,
}

/// A tool whose dictionaries are copied.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tool {
    /// python-hcl2 8.
    Current,
    /// An earlier version, or checkov's fork.
    Earlier(Earlier),
}

impl Tool {
    /// Reads a name such as `python-hcl2 7.3.1` or `bc-python-hcl2 0.4.3`.
    ///
    /// # Errors
    /// A tool or a version that is not known.
    pub(crate) fn parse(text: &str, with_meta: bool) -> PyResult<Self> {
        let (name, version) = text.split_once(' ').unwrap_or((text, ""));
        let numbers: Option<Vec<u32>> = version.split('.').map(|it| it.parse().ok()).collect();
        let numbers = numbers.unwrap_or_default();
        let number = |place: usize| numbers.get(place).copied().unwrap_or_default();
        let at = (number(0), number(1));
        match name {
            "python-hcl2" if at.0 == 8 => Ok(Self::Current),
            "python-hcl2" if (4..8).contains(&at.0) => Ok(Self::Earlier(Earlier {
                is_checkov: false,
                with_meta,
                is_inline: at >= (6, 0),
                has_types: at >= (6, 1),
                has_parentheses: at >= (7, 0),
                has_key_expressions: at >= (7, 1),
                has_exponents: at >= (7, 2),
                // Those of 7.0 and 7.1 keep strings as they are written.
                parses_strings: at.0 == 6 || at >= (7, 2),
            })),
            "bc-python-hcl2" if at.0 == 0 && (3..5).contains(&at.1) => {
                Ok(Self::Earlier(Earlier { is_checkov: true, ..Earlier::default() }))
            }
            _ => Err(PyValueError::new_err(format!(
                "{text:?} is not a tool that can be copied: use python-hcl2 of a version from 4 to 8, \
                 or bc-python-hcl2 0.3 or 0.4, such as 'python-hcl2 8.1.4'"
            ))),
        }
    }
}

/// Checks the name of a tool. Returns whether it is one before python-hcl2 8.
///
/// # Errors
/// A tool or a version that is not known.
#[pyfunction]
pub(crate) fn _is_earlier_tool(name: &str) -> PyResult<bool> {
    Ok(matches!(Tool::parse(name, false)?, Tool::Earlier(_)))
}

//! The known parts of a text whose value is unknown, with holes between them.
//!
//! `"${path.module}/env/${var.stage}.json"` is `./env/` + hole + `.json` if `var.stage` has no
//! value. A text that depends on an unknown condition or key has several shapes, one for each value
//! that it may have. A part that is not understood is a hole.
//!
//! Cost: bounded, whatever the values are.

/// Stands for any text.
pub(crate) use crate::value::HOLE;

/// The number of texts that a value may have.
pub(super) const MOST: usize = 64;

/// The known parts of a value.
#[derive(Clone)]
pub(crate) enum Shape {
    /// One of these texts.
    Texts(Vec<String>),
    /// These elements, in this order.
    Sequence(Vec<Shape>),
    /// Any number of any of these elements.
    Bag(Vec<Shape>),
    /// Among the elements of a sequence: any number of any of these elements.
    Spread(Vec<Shape>),
}

impl Shape {
    pub(crate) fn hole() -> Self {
        Self::Texts(vec![HOLE.to_string()])
    }

    pub(crate) fn text(text: &str) -> Self {
        Self::Texts(vec![text.to_owned()])
    }

    /// Either of several values.
    pub(crate) fn either(shapes: Vec<Self>) -> Self {
        if shapes.iter().any(|shape| !matches!(shape, Self::Texts(_))) {
            return Self::Bag(shapes.into_iter().flat_map(Self::into_parts).collect());
        }
        let mut all = Vec::new();
        shapes.into_iter().for_each(|shape| shape.collect(&mut all));
        Self::Texts(all)
    }

    /// The elements, or the value itself.
    pub(super) fn into_parts(self) -> Vec<Self> {
        match self {
            Self::Sequence(parts) => {
                let parts = parts.into_iter().flat_map(|part| match part {
                    Self::Spread(parts) => parts,
                    part => vec![part],
                });
                parts.collect()
            }
            Self::Bag(parts) | Self::Spread(parts) => parts,
            Self::Texts(_) => vec![self],
        }
    }

    /// Any element.
    pub(crate) fn element(self) -> Self {
        match self {
            Self::Texts(_) => Self::hole(),
            list => Self::either(list.into_parts()),
        }
    }

    /// Adds all texts, at any depth.
    fn collect(self, all: &mut Vec<String>) {
        let mut open = vec![self];
        while let Some(shape) = open.pop() {
            match shape {
                Self::Texts(texts) => {
                    for text in texts {
                        if !all.contains(&text) {
                            all.push(text);
                        }
                    }
                }
                Self::Sequence(parts) | Self::Bag(parts) | Self::Spread(parts) => {
                    open.extend(parts.into_iter().rev());
                }
            }
            if all.len() > MOST {
                *all = vec![HOLE.to_string()];
                return;
            }
        }
    }

    pub(crate) fn into_texts(self) -> Vec<String> {
        let mut all = Vec::new();
        self.collect(&mut all);
        all
    }

    /// Joins texts to one.
    pub(super) fn concatenated(parts: Vec<Self>) -> Self {
        let mut all = vec![String::new()];
        for part in parts {
            let texts = match part {
                Self::Texts(texts) => texts,
                _ => vec![HOLE.to_string()],
            };
            let texts = if all.len() * texts.len() > MOST { vec![HOLE.to_string()] } else { texts };
            let joined = |start: &String| {
                let start = start.clone();
                texts.iter().map(move |end| match start.ends_with(HOLE) && end.starts_with(HOLE) {
                    true => format!("{start}{}", &end[1..]),
                    false => format!("{start}{end}"),
                })
            };
            all = all.iter().flat_map(joined).collect();
        }
        Self::Texts(all)
    }
}

/// Whether a text fits a pattern, in which a hole is any text.
pub(crate) fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split(HOLE);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

//! Texts in one buffer: each takes its bytes and eight more.

#[derive(Default)]
pub(super) struct Secrets {
    pub(super) bytes: Vec<u8>,
    pub(super) ends: Vec<usize>,
}

impl Secrets {
    pub(super) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(super) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|last| self.ends.get(last)).copied();
        let end = self.ends.get(number).copied().unwrap_or_default();
        self.bytes.get(start.unwrap_or_default()..end).unwrap_or_default()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> + Clone {
        (0..self.len() as u32).map(|number| self.get(number))
    }
}

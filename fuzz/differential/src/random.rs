//! Random cases: files and the scopes in which they are read.

use crate::case::Case;
use crate::entropy::Entropy;
use crate::{file, native, scope};

impl Case {
    /// A random case.
    pub fn generate(entropy: &mut impl Entropy) -> Self {
        let scope = scope::generate(entropy);
        let (input, schema) = file::generate(entropy);
        Self { input, native: false, schema, literal: entropy.chance(1, 50), scope }
    }

    /// A random case in native syntax.
    pub fn generate_native(entropy: &mut impl Entropy) -> Self {
        let scope = scope::generate(entropy);
        let (input, schema) = native::generate(entropy);
        Self { input, native: true, schema, literal: false, scope }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::entropy::{Bytes, Seed};

    #[test]
    fn a_seed_gives_the_same_case() {
        let line = |seed, index| Case::generate(&mut Seed::new(seed, index)).to_line();
        for index in 0..200 {
            assert_eq!(line(1, index), line(1, index));
        }
        assert_ne!(line(1, 7), line(2, 7));
    }

    #[test]
    fn half_of_the_native_files_are_valid() {
        let valid = (0..1000).filter(|&index| {
            let case = Case::generate_native(&mut Seed::new(3, index));
            crate::answer(&case).parse.is_empty()
        });
        assert!((400..700).contains(&valid.count()));
    }

    #[test]
    fn no_bytes_give_a_case_too() {
        let case = Case::generate(&mut Bytes(&[]));
        assert!(serde_json::from_str::<Value>(&case.input).is_ok(), "{}", case.input);
    }

    #[test]
    fn most_files_are_json_and_some_are_not() {
        let valid = (0..1000)
            .filter(|&index| {
                let case = Case::generate(&mut Seed::new(3, index));
                serde_json::from_str::<Value>(&case.input).is_ok()
            })
            .count();
        assert!((900..1000).contains(&valid), "{valid}");
    }
}

//! "Did you mean …?": finds the known name that is nearest to an unknown one.
//!
//! The distance of two names is the number of characters to insert, delete, replace, or swap with
//! their neighbour (optimal string alignment). A name is near if the distance is at most a third of
//! the longer name's length, and one edit is always allowed. Names that differ only in the case of
//! ASCII letters have the distance 0. Of several names at the same distance, the first one is the
//! nearest.
//!
//! Names of one or two characters are near to everything, and names of more than 200 characters are
//! not typing errors: neither get a suggestion.

use std::fmt;

use smallvec::SmallVec;

/// The minimum and the maximum length, in characters, of names that are compared.
const SHORTEST: usize = 3;
const LONGEST: usize = 200;

/// The number of steps that one run spends on suggestions: some hundredths of a second.
const BUDGET: usize = 10_000_000;

/// The number of steps that a known name takes, without those for its bytes.
const OF_NAME: usize = 16;

/// Larger than every distance.
const FAR: u16 = u16::MAX / 2;

/// Returns the name in `known` that is nearest to `given`, if it is near enough: at most a third of
/// the longer name's length away, or one edit.
///
/// Cost: linear in the number of known names; quadratic in the length of those with about the
/// length of `given`. After ten million steps no suggestion is returned.
///
/// ```
/// use simd_hcl::suggest::nearest;
///
/// assert_eq!(nearest("aws_instanec", ["aws_instances", "aws_instance"]), Some("aws_instance"));
/// assert_eq!(nearest("vpc", ["subnet", "route"]), None);
/// ```
#[must_use]
pub fn nearest<'k>(given: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    Suggestions::new().nearest(given, known)
}

/// The question that suggests a name.
pub(crate) struct DidYouMean<'n>(pub(crate) &'n str);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Did you mean \"{}\"?", self.0)
    }
}

/// Finds nearest names until its budget is spent, so that many unknown names among many known ones
/// do not take quadratic time.
#[derive(Debug)]
pub(crate) struct Suggestions {
    /// The remaining steps. A step is a byte of a known name, which takes [`OF_NAME`] more, or a cell
    /// of a table of distances. These are not the steps that evaluation counts.
    budget: usize,
}

impl Suggestions {
    pub(crate) const fn new() -> Self {
        Self { budget: BUDGET }
    }

    /// Returns a smaller budget, for one of many expressions that look for names separately.
    pub(crate) const fn of_expression() -> Self {
        Self { budget: BUDGET / 50 }
    }

    /// Returns the budget for this many unknown names of one of many bodies, so that the cost of all
    /// bodies is linear in their names. It is enough for some hundred known names each.
    pub(crate) fn of_names(count: usize) -> Self {
        Self { budget: BUDGET.min(count.saturating_mul(BUDGET / 500)) }
    }

    /// See [`nearest`]. Returns `None` once the budget is spent, even if a near name has been
    /// found, because a nearer one might follow.
    pub(crate) fn nearest<'k>(
        &mut self,
        given: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Option<&'k str> {
        let characters = Characters::of(given).filter(|it| it.all.len() >= SHORTEST)?;
        let mut nearest: Option<(&'k str, usize)> = None;
        for name in known {
            if name.eq_ignore_ascii_case(given) {
                return Some(name);
            }
            let least = nearest.map(|(_, distance)| distance);
            if let Some(distance) = self.nearer(&characters, name, least)? {
                nearest = Some((name, distance));
            }
        }
        nearest.map(|(name, _)| name)
    }

    /// Returns the distance of a name that is near enough, and nearer than `least`; `None` once the
    /// budget is spent. Not generic: each caller of [`Suggestions::nearest`] would compile a copy.
    fn nearer(
        &mut self,
        given: &Characters,
        name: &str,
        least: Option<usize>,
    ) -> Option<Option<usize>> {
        self.spend(OF_NAME + name.len().min(4 * LONGEST))?;
        let most = |count: usize| {
            let near = (given.all.len().max(count) / 3).max(1);
            let most = least.map_or(near, |least| near.min(least - 1));
            (most > 0 && given.all.len().abs_diff(count) <= most).then_some(most)
        };
        if name.len() > 4 * LONGEST {
            return Some(None);
        }
        // Most names are of another length, or have other characters.
        let count =
            if name.is_ascii() { name.len() } else { name.chars().take(LONGEST + 1).count() };
        let Some(most) = most(count).filter(|_| count <= LONGEST) else { return Some(None) };
        let kinds = kinds(name);
        let apart = (given.kinds & !kinds).count_ones().max((kinds & !given.kinds).count_ones());
        if apart as usize > most {
            return Some(None);
        }
        let other: SmallVec<[char; 32]> = name.chars().collect();
        self.spend(given.all.len() * (2 * most + 1))?;
        Some(distance(&given.all, &other, most))
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        let rest = self.budget.checked_sub(steps);
        self.budget = rest.unwrap_or_default();
        rest.map(drop)
    }
}

/// The characters of a name that is not too long, and their kinds.
struct Characters {
    all: SmallVec<[char; 32]>,
    kinds: u64,
}

/// The kinds of the characters in a name, 64 at most: each one that only one of two names has takes an
/// edit of its own.
fn kinds(name: &str) -> u64 {
    name.chars().fold(0, |kinds, character| kinds | 1 << (character as u32 % 64))
}

impl Characters {
    fn of(name: &str) -> Option<Self> {
        let characters: SmallVec<_> = name.chars().take(LONGEST + 1).collect();
        (characters.len() <= LONGEST).then(|| Self { all: characters, kinds: kinds(name) })
    }
}

/// Returns the distance of two names, if it is at most `most`. Their lengths must not differ by
/// more than that.
///
/// Computes the diagonals of the table that can lead to such a distance, and keeps three rows. Ends
/// after two rows without such a cell.
fn distance(one: &[char], other: &[char], most: usize) -> Option<usize> {
    let mut rows = [[FAR; LONGEST + 1]; 3];
    let [above_last, last, row] = &mut rows;
    let (mut above_last, mut last, mut row) = (above_last, last, row);
    for (cell, distance) in last.iter_mut().zip(0..=most) {
        *cell = distance as u16;
    }
    let mut was_near = true;
    for i in 1..=one.len() {
        let low = i.saturating_sub(most).max(1);
        let high = other.len().min(i + most);
        row[low - 1] = if low == 1 { i as u16 } else { FAR };
        let mut is_near = usize::from(row[low - 1]) <= most;
        for j in low..=high {
            let replaced = last[j - 1] + u16::from(one[i - 1] != other[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(above_last[j - 2] + 1);
            }
            row[j] = least;
            is_near |= usize::from(least) <= most;
        }
        if !(is_near || was_near) {
            return None;
        }
        was_near = is_near;
        // The next row extends one cell further.
        if high < other.len() {
            row[high + 1] = FAR;
        }
        (above_last, last, row) = (last, row, above_last);
    }
    let distance = usize::from(last[other.len()]);
    (distance <= most).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::{BUDGET, LONGEST, Suggestions, distance, nearest};

    /// The textbook distance: the whole table.
    fn textbook(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                };
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
                }
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn distances_agree_with_the_textbook() {
        let mut names = vec![Vec::new()];
        for len in 1..=5 {
            for bits in 0..1 << len {
                names.push((0..len).map(|i| if bits >> i & 1 == 1 { 'é' } else { 'b' }).collect());
            }
        }
        let words = ["flase", "false", "nil", "null", "tru", "instance_type", "intsance_tpye"];
        names.extend(words.map(|word| word.chars().collect::<Vec<char>>()));
        for a in &names {
            for b in &names {
                for most in a.len().abs_diff(b.len()).max(1)..6 {
                    let expected = Some(textbook(a, b)).filter(|&distance| distance <= most);
                    assert_eq!(distance(a, b, most), expected, "{a:?} {b:?} {most}");
                }
            }
        }
    }

    #[test]
    fn no_near_name_is_passed_over() {
        let mut names: Vec<String> = vec!["flase".into(), "false".into(), "xyzzy".into()];
        for number in 0..256_u32 {
            let character = |place: u32| if number >> place & 1 == 1 { 'é' } else { 'b' };
            names.push((0..3 + number % 6).map(character).collect());
        }
        for given in &names {
            for known in &names {
                let [one, other] = [given, known].map(|name| name.chars().collect::<Vec<_>>());
                let most = (one.len().max(other.len()) / 3).max(1);
                let is_near = textbook(&one, &other) <= most;
                assert_eq!(nearest(given, [&**known]).is_some(), is_near, "{given} {known}");
            }
        }
    }

    #[test]
    fn the_nearest_name_wins() {
        assert_eq!(
            nearest("instance", ["instanced_x", "instances", "instance_"]),
            Some("instances")
        );
        assert_eq!(nearest("flase", ["true", "false", "null"]), Some("false"));
        assert_eq!(nearest("REGION", ["regions", "region"]), Some("region"));
        assert_eq!(nearest("región", ["region"]), Some("region"));
    }

    #[test]
    fn the_limit_grows_with_the_length() {
        assert_eq!(nearest("cat", ["cut"]), Some("cut"));
        assert_eq!(nearest("cat", ["cup"]), None);
        assert_eq!(nearest("catnip", ["cutnap"]), Some("cutnap"));
        assert_eq!(nearest("subnet_ids", ["subnets"]), Some("subnets"));
        assert_eq!(nearest("subnet_group", ["subnets"]), None);
        // The short name is a known one, not the given one.
        assert_eq!(nearest("s33", ["gcs", "s3"]), Some("s3"));
        assert_eq!(nearest("s4", ["s3"]), None);
        assert_eq!(nearest("", ["a"]), None);
    }

    #[test]
    fn long_names_get_no_suggestion() {
        let longest = "x".repeat(LONGEST);
        let longer = "x".repeat(LONGEST + 1);
        assert_eq!(nearest(&longest, [&*longest]), Some(&*longest));
        assert_eq!(nearest(&longest[1..], [&*longest]), Some(&*longest));
        assert_eq!(nearest(&longest, [&*longer]), None);
        assert_eq!(nearest(&longer, [&*longest]), None);
    }

    #[test]
    fn work_is_bounded() {
        let known = "known_name_of_about_the_same_length";
        let mut asked = 0_usize;
        let mut suggestions = Suggestions::new();
        let names = std::iter::repeat_n(known, BUDGET).inspect(|_| asked += 1);
        assert_eq!(suggestions.nearest("given_name_of_about_the_same_length", names), None);
        assert!(asked < BUDGET / known.len(), "{asked}");
        // The budget is spent.
        assert_eq!(suggestions.nearest("known_nam", ["known_name"]), None);
    }
}

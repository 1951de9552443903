//! "Did you mean …?": names that differ by at most two edits.

/// Whether two names differ by at most two insertions, deletions or replacements of characters
/// (Levenshtein distance below 3, as the reference implementation measures).
///
/// Cost: linear in the names' lengths, since only five diagonals of the distance table can matter.
#[must_use]
pub(crate) fn is_near(given: &str, known: &str) -> bool {
    const LIMIT: usize = 2;
    let given: Vec<char> = given.chars().take(known.len() + LIMIT + 1).collect();
    let known: Vec<char> = known.chars().collect();
    if given.len().abs_diff(known.len()) > LIMIT {
        return false;
    }
    let mut row: Vec<usize> = (0..=known.len()).collect();
    for (i, from) in given.iter().enumerate() {
        let low = i.saturating_sub(LIMIT);
        let high = known.len().min(i + LIMIT + 1);
        let mut diagonal = row[low];
        row[low] = if low == 0 { i + 1 } else { usize::MAX / 2 };
        for j in low..high {
            let above = if j + 1 > i + LIMIT { usize::MAX / 2 } else { row[j + 1] };
            let distance =
                (diagonal + usize::from(*from != known[j])).min(above + 1).min(row[j] + 1);
            diagonal = row[j + 1];
            row[j + 1] = distance;
        }
    }
    row[known.len()] <= LIMIT
}

#[cfg(test)]
mod tests {
    use super::is_near;

    /// The textbook distance, without a band.
    fn distance(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                };
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn agrees_with_the_textbook() {
        let mut names = vec![String::new()];
        for len in 1..=5 {
            for bits in 0..1 << len {
                names.push((0..len).map(|i| if bits >> i & 1 == 1 { 'é' } else { 'b' }).collect());
            }
        }
        names.extend(
            ["flase", "false", "nil", "null", "tru", "true", "instance_type"].map(String::from),
        );
        for a in &names {
            for b in &names {
                assert_eq!(is_near(a, b), distance(a, b) < 3, "{a:?} {b:?}");
            }
        }
    }
}

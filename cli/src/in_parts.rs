//! Long answers, rendered in parts on several threads and printed in order.

use std::io;
use std::mem;

use rayon::prelude::*;

/// The number of parts that each thread renders before they are printed: memory does not grow with
/// the answer.
const AT_ONCE: usize = 4;

/// Renders each part, and passes the results to `print` in the order of the parts. Some parts are
/// rendered while those before them are printed.
///
/// # Errors
/// The first error of `print`.
pub(crate) fn in_parts<P: Sync, T: Send>(
    parts: &[P],
    render: impl Fn(&P) -> T + Sync,
    mut print: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    let mut rendered = Vec::new();
    for batch in parts.chunks(AT_ONCE * rayon::current_num_threads()) {
        let before = mem::take(&mut rendered);
        let (printed, next) = rayon::join(
            || before.into_iter().try_for_each(&mut print),
            || batch.par_iter().map(&render).collect::<Vec<_>>(),
        );
        printed?;
        rendered = next;
    }
    rendered.into_iter().try_for_each(print)
}

#[cfg(test)]
mod tests {
    use super::in_parts;

    #[test]
    fn results_are_in_the_order_of_the_parts() {
        for count in [0, 1, 5, 1000] {
            let parts: Vec<usize> = (0..count).collect();
            let mut printed = Vec::new();
            let result = in_parts(
                &parts,
                |part| part * 2,
                |part| {
                    printed.push(part / 2);
                    Ok(())
                },
            );
            assert!(result.is_ok());
            assert_eq!(printed, parts);
        }
    }

    #[test]
    fn an_error_ends_it() {
        let parts: Vec<usize> = (0..1000).collect();
        let mut printed = 0;
        let result = in_parts(
            &parts,
            |part| *part,
            |part| {
                printed += 1;
                if part == 9 { Err(std::io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
            },
        );
        assert!(result.is_err());
        assert_eq!(printed, 10);
    }
}

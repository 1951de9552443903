//! Files that cannot be read, are not regular files, or change while they are read.
#![allow(unsafe_code)]

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use simd_hcl::source::{Access, MAX_LEN, SourceError, Stamp};
use simd_hcl::{Arena, Code, Document, Source};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Returns the error of reading and of mapping a file.
fn refusal(path: &Path) -> SourceError {
    let arena = Arena::new();
    let read = Source::read(&arena, path).unwrap_err();
    // SAFETY: no test writes to a file while it is mapped.
    let mapped = unsafe { Source::map(&arena, path) }.unwrap_err();
    assert_eq!(read.to_string(), mapped.to_string());
    let error = Document::open(&arena, path).unwrap_err();
    assert_eq!(error.known_code(), Some(Code::UnreadableFile));
    assert!(error.to_string().starts_with(&*path.to_string_lossy()), "{error}");
    assert!(!error.has_lines);
    read
}

#[test]
fn missing_files_and_directories() {
    let folder = folder();
    assert!(matches!(refusal(folder.path()), SourceError::Directory));
    let missing = refusal(&folder.path().join("none.tf.json"));
    let SourceError::Io(error) = missing else { panic!("{missing}") };
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
}

#[test]
fn an_empty_file() {
    let folder = folder();
    let path = folder.path().join("empty.tf.json");
    File::create(&path).unwrap();
    let arena = Arena::new();
    assert!(Source::read(&arena, &path).unwrap().bytes().is_empty());
    // SAFETY: nobody else knows the file.
    assert!(unsafe { Source::map(&arena, &path) }.unwrap().bytes().is_empty());
    assert_eq!(Document::open(&arena, &path).unwrap_err().known_code(), Some(Code::MissingValue));
}

#[test]
fn a_file_too_large_is_not_read() {
    let folder = folder();
    let path = folder.path().join("large.tf.json");
    // A sparse file, which takes no disk space.
    let file = File::create(&path).unwrap();
    for len in [MAX_LEN as u64 + 1, 5 << 30] {
        if let Err(error) = file.set_len(len) {
            println!("skipped: a_file_too_large_is_not_read (no file of {len} bytes: {error})");
            return;
        }
        let SourceError::TooLarge { len: told, .. } = refusal(&path) else { panic!("too large") };
        assert_eq!(told, len);
    }
}

#[test]
fn read_and_mapped_alike() {
    let folder = folder();
    let path = folder.path().join("main.tf.json");
    for len in [1, 4095, 4096, 4097, 100_000] {
        let text = format!("\"{}\"", "x".repeat(len));
        fs::write(&path, &text).unwrap();
        let arena = Arena::new();
        assert!(Source::read(&arena, &path).unwrap().bytes() == text.as_bytes());
        // SAFETY: nobody else knows the file, and the arena is gone before it is written again.
        assert!(unsafe { Source::map(&arena, &path) }.unwrap().bytes() == text.as_bytes());
        for map_from in [0, text.len() as u64, u64::MAX] {
            // SAFETY: as above.
            let source = unsafe { Source::map_as(&arena, &path, Access::FOUND, map_from) }.unwrap();
            assert!(source.bytes() == text.as_bytes());
            assert_eq!(source.name(), path.to_str().unwrap());
        }
    }
}

/// Each call reads the file as it is then, even if it changed after its length was read.
#[test]
fn a_file_that_changes_between_reads() {
    let folder = folder();
    let path = folder.path().join("main.tf.json");
    let arena = Arena::new();
    for len in [10_000, 1, 100_000, 0] {
        fs::write(&path, " ".repeat(len)).unwrap();
        assert_eq!(Source::read(&arena, &path).unwrap().bytes().len(), len);
        fs::remove_file(&path).unwrap();
        let SourceError::Io(error) = refusal(&path) else { panic!("it has vanished") };
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}

#[test]
fn a_reader_that_fails() {
    struct Fails(usize);
    impl Read for Fails {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 -= 1;
            match self.0 {
                0 => Err(io::Error::other("unplugged")),
                1 => Err(io::ErrorKind::Interrupted.into()),
                _ => {
                    buffer[0] = b' ';
                    Ok(1)
                }
            }
        }
    }
    let arena = Arena::new();
    let error = Source::read_from(&arena, "-", Fails(5)).unwrap_err();
    assert_eq!(error.to_string(), "unplugged");
    let source = Source::read_from(&arena, "-", &b"[1]"[..]).unwrap();
    assert_eq!((source.name(), source.bytes()), ("-", &b"[1]"[..]));
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    #[test]
    #[allow(unsafe_code, reason = "nobody writes to the files while they are mapped")]
    fn special_files_are_read_where_they_are_named() {
        let folder = folder();
        let arena = Arena::new();
        let refused =
            |path: &Path| matches!(Access::FOUND.open(path), Err(SourceError::SpecialFile));
        assert_eq!(Source::read(&arena, "/dev/null").unwrap().bytes(), b"");
        // SAFETY: nothing is mapped.
        assert_eq!(unsafe { Source::map(&arena, "/dev/null") }.unwrap().bytes(), b"");
        assert!(refused(Path::new("/dev/null")));
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert!(matches!(refusal(&socket), SourceError::Io(_)) && refused(&socket));
        let pipe = folder.path().join("pipe.tf.json");
        if Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
            let link = folder.path().join("link.tf.json");
            symlink(&pipe, &link).unwrap();
            assert!(refused(&pipe) && refused(&link));
            let writer = std::thread::spawn(move || std::fs::write(pipe, "[1]").unwrap());
            // SAFETY: a pipe is read, not mapped.
            let source = unsafe { Source::map_as(&arena, &link, Access::NAMED, 0) }.unwrap();
            assert_eq!(source.bytes(), b"[1]");
            writer.join().unwrap();
        } else {
            println!("skipped: special_files_are_read_where_they_are_named, pipes (no mkfifo)");
        }
    }

    /// A file that a directory or another file names has an end, and does not wait.
    #[test]
    #[cfg(target_os = "linux")]
    fn files_that_are_found_have_an_end() {
        let arena = Arena::new();
        for path in ["/dev/zero", "/dev/full", "/dev/tty"].map(Path::new) {
            if path.exists() {
                assert!(matches!(Access::FOUND.open(path), Err(SourceError::SpecialFile)));
            }
        }
        // Regular files, says stat.
        for path in ["/proc/self/pagemap", "/proc/self/mem", "/proc/kmsg", "/proc/kallsyms"] {
            let read = Source::read_as(&arena, path, Access::FOUND);
            assert!(
                read.is_err() || read.is_ok_and(|read| read.bytes().len() <= 1 << 20),
                "{path}"
            );
        }
        let folder = folder();
        let path = folder.path().join("a.tf");
        fs::write(&path, "12345").unwrap();
        let read = |limit| Source::read_as(&arena, &path, Access::FOUND.with_limit(limit));
        assert_eq!(read(5).unwrap().bytes(), b"12345");
        let SourceError::TooLarge { len, limit } = read(4).unwrap_err() else { panic!() };
        assert_eq!((len, limit), (5, 4));
    }

    /// A stamp tells whether a file has been written since it was read.
    #[test]
    fn stamps() {
        let folder = folder();
        let arena = Arena::new();
        let path = folder.path().join("a.tf");
        fs::write(&path, "a").unwrap();
        let stamp = Source::read(&arena, &path).unwrap().stamp();
        assert_eq!(stamp, Some(Stamp::of(&fs::metadata(&path).unwrap())));
        fs::write(&path, "ab").unwrap();
        assert_ne!(stamp, Some(Stamp::of(&fs::metadata(&path).unwrap())));
        // Another file in its place, of the same length and time.
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let stamp = Stamp::of(&fs::metadata(&path).unwrap());
        let other = folder.path().join("b.tf");
        fs::write(&other, "cd").unwrap();
        File::open(&other).unwrap().set_modified(time).unwrap();
        fs::rename(&other, &path).unwrap();
        assert_ne!(stamp, Stamp::of(&fs::metadata(&path).unwrap()));
        assert_eq!(Source::read(&arena, "/dev/null").unwrap().stamp(), None);
        assert_eq!(Source::from_bytes(&arena, "a", b"a").unwrap().stamp(), None);
    }

    #[test]
    fn links_that_lead_nowhere() {
        let folder = folder();
        let (one, two) = (folder.path().join("one.tf.json"), folder.path().join("two.tf.json"));
        symlink(&one, &two).unwrap();
        symlink(&two, &one).unwrap();
        assert!(matches!(refusal(&one), SourceError::Io(_)));
        let lost = folder.path().join("lost.tf.json");
        symlink(folder.path().join("none"), &lost).unwrap();
        assert!(matches!(refusal(&lost), SourceError::Io(_)));
    }

    #[test]
    fn no_permission() {
        let folder = folder();
        let path = folder.path().join("secret.tf.json");
        fs::write(&path, "{}").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        if File::open(&path).is_ok() {
            println!("skipped: no_permission (this user may read everything)");
            return;
        }
        let SourceError::Io(error) = refusal(&path) else { panic!("unreadable") };
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn names_that_are_not_utf8() {
        let folder = folder();
        let path = folder.path().join(OsStr::from_bytes(b"m\xFFin.tf.json"));
        if let Err(error) = fs::write(&path, "[") {
            println!("skipped: names_that_are_not_utf8 ({error})");
            return;
        }
        let arena = Arena::new();
        let source = Source::read(&arena, &path).unwrap();
        assert!(source.name().ends_with("m\u{FFFD}in.tf.json"));
        assert_eq!(
            Document::parse(&arena, source).unwrap_err().known_code(),
            Some(Code::UnclosedArray)
        );
    }

    /// Files for which the system reports no length, or a wrong one, are read completely.
    #[test]
    #[cfg(target_os = "linux")]
    fn files_of_the_kernel() {
        let arena = Arena::new();
        let longer = Source::read(&arena, "/proc/self/status").unwrap();
        assert!(longer.bytes().starts_with(b"Name:"), "it has 0 bytes, says stat");
        let shorter = Path::new("/sys/kernel/mm/transparent_hugepage/enabled");
        if shorter.exists() {
            let source = Source::read(&arena, shorter).unwrap();
            assert_eq!(source.bytes(), fs::read(shorter).unwrap(), "it has a page, says stat");
        } else {
            println!("skipped: files_of_the_kernel, a shorter one (no {})", shorter.display());
        }
    }
}

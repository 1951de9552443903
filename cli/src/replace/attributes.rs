//! Attributes that a file keeps when another one takes its place: its owner, permissions and extended
//! attributes, which include access control lists.

use std::fs::File;
use std::io;

/// Copies the attributes of a file to the one that will replace it. Returns `false` if they cannot
/// all be kept, or if the file has other names, which would keep the old text.
#[cfg(unix)]
pub(super) fn copy(old: &File, new: &File) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let (of_old, of_new) = (old.metadata()?, new.metadata()?);
    if of_old.nlink() > 1 {
        return Ok(false);
    }
    let owner = |of: &std::fs::Metadata| (of.uid(), of.gid());
    if owner(&of_old) != owner(&of_new)
        && fchown(new, Some(of_old.uid()), Some(of_old.gid())).is_err()
    {
        return Ok(false);
    }
    // After the owner, whose change takes permissions away.
    new.set_permissions(of_old.permissions())?;
    Ok(copy_extended(old, new))
}

#[cfg(not(unix))]
pub(super) fn copy(old: &File, new: &File) -> io::Result<bool> {
    new.set_permissions(old.metadata()?.permissions())?;
    Ok(true)
}

/// Copies the extended attributes. Returns whether the new file has them all.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn copy_extended(old: &File, new: &File) -> bool {
    use rustix::fs::{
        XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fsetxattr,
    };
    use rustix::io::Errno;

    let names = || {
        let mut names = vec![0; flistxattr_query(old)?];
        let len = flistxattr(old, &mut names[..])?;
        names.truncate(len);
        Ok(names)
    };
    let names = match names() {
        Ok(names) => names,
        Err(Errno::NOTSUP) => return true,
        Err(_) => return false,
    };
    let value = |file: &File, name: &[u8]| {
        let mut value = vec![0; fgetxattr_query(file, name)?];
        let len = fgetxattr(file, name, &mut value[..])?;
        value.truncate(len);
        Ok::<_, Errno>(value)
    };
    names.split(|byte| *byte == 0).filter(|name| !name.is_empty()).all(|name| {
        let Ok(wanted) = value(old, name) else { return false };
        // The system may have set it already, and not allow that it is set again.
        value(new, name).is_ok_and(|has| has == wanted)
            || fsetxattr(new, name, &wanted, XattrFlags::empty()).is_ok()
    })
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
fn copy_extended(_: &File, _: &File) -> bool {
    true
}

//! Serializes files of modules.

use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use super::ModuleFile;

/// Serializes an object with its name, its role, and the file that replaces it, if there is one.
impl Serialize for ModuleFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shadowed_by = self.shadowed_by.as_ref().map(|name| name.to_string_lossy());
        let count = 2 + usize::from(shadowed_by.is_some());
        let mut fields = serializer.serialize_struct("ModuleFile", count)?;
        fields.serialize_field("name", &self.name.to_string_lossy())?;
        fields.serialize_field("role", self.kind.role())?;
        match &shadowed_by {
            Some(name) => fields.serialize_field("shadowed_by", name)?,
            None => fields.skip_field("shadowed_by")?,
        }
        fields.end()
    }
}

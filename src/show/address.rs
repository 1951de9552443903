//! Addresses of modules and resource instances: `module.a["k.1"].data.aws_ami.base[0]`.
//!
//! Parsing takes text as the tools print it, and returns its steps. [`Display`](fmt::Display)
//! writes the text back: parsing and printing the output of today's tools returns the same bytes.
//! Keys are quoted as in HCL: `
//! \r \t \" \\ \uXXXX \UXXXXXXXX`, `$${` and `%%{`. Escapes that Terraform printed before 1.3
//! (`\x07`, `\a`) are read, too.

use std::borrow::Cow;
use std::fmt;

use super::names::ResourceMode;
use crate::lexical::identifier_len;
use crate::reference::Quoted;

/// The address of a module instance, or of a resource or resource instance in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address<'t> {
    /// The module calls that lead to it, from the root.
    pub modules: Vec<Call<'t>>,
    /// The resource; `None` in the address of a module.
    pub resource: Option<ResourceStep<'t>>,
}

/// One module call in an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call<'t> {
    /// The name of the call.
    pub name: &'t str,
    /// The key of the instance.
    pub key: Option<Key<'t>>,
}

/// The resource at the end of an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResourceStep<'t> {
    /// The kind of resource, which `data.` and `ephemeral.` before the type determine.
    pub mode: ResourceMode<'t>,
    /// The resource type.
    pub resource_type: &'t str,
    /// The name.
    pub name: &'t str,
    /// The key of the instance.
    pub key: Option<Key<'t>>,
}

/// The key of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key<'t> {
    /// A key of `count`: the digits as written.
    Number(&'t str),
    /// A key of `for_each`: the decoded text.
    Text(Cow<'t, str>),
    /// `[*]`: not known yet.
    Unknown,
}

/// The reason why a text is not an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AddressError {
    /// Offset of the first invalid byte, in bytes.
    pub offset: usize,
    /// The text that is expected there.
    pub expected: &'static str,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} should stand at byte {}", self.expected, self.offset)
    }
}

impl std::error::Error for AddressError {}

impl<'t> Address<'t> {
    /// Reads an address. The empty text is the root module. Cost: linear.
    ///
    /// # Errors
    /// The first place where the text does not follow the grammar.
    ///
    /// ```
    /// use simd_hcl::show::Address;
    ///
    /// let address = Address::parse("module.a[\"k\"].aws_vpc.main[0]").unwrap();
    /// assert_eq!(address.modules.len(), 1);
    /// assert_eq!(address.to_string(), "module.a[\"k\"].aws_vpc.main[0]");
    /// assert_eq!(address.to_configuration().to_string(), "module.a.aws_vpc.main");
    /// ```
    pub fn parse(text: &'t str) -> Result<Self, AddressError> {
        let mut reader = Reader { text, at: 0 };
        let mut address = Self { modules: Vec::new(), resource: None };
        while reader.at < text.len() {
            let mut word = reader.identifier()?;
            if word == "module" {
                reader.dot()?;
                let name = reader.identifier()?;
                address.modules.push(Call { name, key: reader.key()? });
                if reader.at < text.len() {
                    reader.dot()?;
                    if reader.at == text.len() {
                        return Err(reader.error("a name"));
                    }
                }
                continue;
            }
            let mode = match word {
                "data" | "ephemeral" | "list" | "action" => {
                    let mode = ResourceMode::of(word);
                    reader.dot()?;
                    word = reader.identifier()?;
                    mode
                }
                _ => ResourceMode::Managed,
            };
            reader.dot()?;
            let name = reader.identifier()?;
            let key = reader.key()?;
            if reader.at < text.len() {
                return Err(reader.error("the end"));
            }
            address.resource = Some(ResourceStep { mode, resource_type: word, name, key });
        }
        Ok(address)
    }

    /// Whether the object at the end has a key: the resource, or the module if there is none.
    pub(crate) fn has_own_key(&self) -> bool {
        match &self.resource {
            Some(resource) => resource.key.is_some(),
            None => self.modules.last().is_some_and(|call| call.key.is_some()),
        }
    }

    /// The address without keys, which is that of the block in the configuration.
    #[must_use]
    pub fn to_configuration(&self) -> Self {
        let mut address = self.clone();
        address.modules.iter_mut().for_each(|call| call.key = None);
        if let Some(resource) = &mut address.resource {
            resource.key = None;
        }
        address
    }
}

/// The host and namespace of providers that are named without them.
pub(super) const LEGACY_PROVIDER: &str = "registry.terraform.io/-/";

/// The provider in an address of a state file, `HOST/NAMESPACE/TYPE`:
///
/// | address | provider |
/// |---|---|
/// | `module.m.provider["HOST/NAMESPACE/TYPE"].ALIAS`, also with the key of an instance | `HOST/NAMESPACE/TYPE` |
/// | `module.m.provider.TYPE.ALIAS`, as Terraform 0.12 writes it | `registry.terraform.io/-/TYPE` |
pub(super) fn provider_of(text: &str) -> Option<Cow<'_, str>> {
    if let Some((_, quoted)) = text.split_once("provider[\"") {
        return quoted.split('"').next().map(Cow::Borrowed);
    }
    match legacy_provider(text) {
        Some((name, _)) => Some(format!("{LEGACY_PROVIDER}{name}").into()),
        None => Some(Cow::Borrowed(text)).filter(|text| !text.is_empty()),
    }
}

/// The type and the alias of a provider in an address of an old state file:
/// `module.m.provider.TYPE.ALIAS`.
pub(super) fn legacy_provider(text: &str) -> Option<(&str, Option<&str>)> {
    const WORD: &str = "provider.";
    let at = text.rfind(WORD).filter(|at| *at == 0 || text[..*at].ends_with('.'))?;
    let name = &text[at + WORD.len()..];
    let (name, alias) = match name.split_once('.') {
        Some((name, alias)) => (name, Some(alias)),
        None => (name, None),
    };
    Some((name, alias)).filter(|(name, _)| !name.is_empty())
}

/// The address of the module instance in the address of a resource, as it is written there: empty
/// for the root module. `None` if the text is not an address. Cost: linear.
pub(super) fn module_of(text: &str) -> Option<&str> {
    let mut reader = Reader { text, at: 0 };
    let mut end = 0;
    while reader.rest().starts_with("module.") {
        if reader.identifier().ok()? != "module" {
            break;
        }
        reader.dot().ok()?;
        reader.identifier().ok()?;
        reader.key().ok()?;
        end = reader.at;
        if reader.at == text.len() {
            break;
        }
        reader.dot().ok()?;
    }
    text.get(..end)
}

impl fmt::Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, call) in self.modules.iter().enumerate() {
            let dot = if place == 0 { "" } else { "." };
            write!(f, "{dot}module.{}{}", call.name, Bracketed(call.key.as_ref()))?;
        }
        let Some(resource) = &self.resource else { return Ok(()) };
        if !self.modules.is_empty() {
            f.write_str(".")?;
        }
        resource.fmt(f)
    }
}

impl fmt::Display for ResourceStep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.mode != ResourceMode::Managed {
            write!(f, "{}.", self.mode)?;
        }
        write!(f, "{}.{}{}", self.resource_type, self.name, Bracketed(self.key.as_ref()))
    }
}

struct Bracketed<'k, 't>(Option<&'k Key<'t>>);

impl fmt::Display for Bracketed<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some(Key::Number(digits)) => write!(f, "[{digits}]"),
            Some(Key::Text(text)) => write!(f, "[{}]", Quoted(text)),
            Some(Key::Unknown) => f.write_str("[*]"),
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, expected: &'static str) -> AddressError {
        AddressError { offset: self.at, expected }
    }

    fn dot(&mut self) -> Result<(), AddressError> {
        if !self.rest().starts_with('.') {
            return Err(self.error("a dot"));
        }
        self.at += 1;
        Ok(())
    }

    fn identifier(&mut self) -> Result<&'t str, AddressError> {
        let rest = self.rest();
        let len = identifier_len(rest);
        if len == 0 {
            return Err(self.error("a name"));
        }
        self.at += len;
        Ok(&rest[..len])
    }

    fn key(&mut self) -> Result<Option<Key<'t>>, AddressError> {
        let rest = self.rest();
        let Some(inside) = rest.strip_prefix('[') else { return Ok(None) };
        self.at += 1;
        let key = if inside.starts_with('"') {
            Key::Text(self.string()?)
        } else if inside.starts_with('*') {
            self.at += 1;
            Key::Unknown
        } else {
            let digits = inside.strip_prefix('-').unwrap_or(inside);
            let sign = inside.len() - digits.len();
            let len = digits.bytes().take_while(u8::is_ascii_digit).count();
            if len == 0 {
                return Err(self.error("a number, a quoted string or an asterisk"));
            }
            self.at += sign + len;
            Key::Number(&inside[..sign + len])
        };
        if !self.rest().starts_with(']') {
            return Err(self.error("a closing bracket"));
        }
        self.at += 1;
        Ok(Some(key))
    }

    /// A quoted string, starting at its opening quote.
    fn string(&mut self) -> Result<Cow<'t, str>, AddressError> {
        self.at += 1;
        let start = self.at;
        let plain = self.rest().find(['"', '\\', '$', '%']).unwrap_or(self.rest().len());
        self.at += plain;
        if self.rest().starts_with('"') {
            self.at += 1;
            return Ok(Cow::Borrowed(&self.text[start..self.at - 1]));
        }
        let mut text = self.text[start..self.at].to_owned();
        loop {
            let rest = self.rest();
            let Some(character) = rest.chars().next() else {
                return Err(self.error("a closing quote"));
            };
            match character {
                '"' => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                '\\' => text.push(self.escape()?),
                '$' | '%' if rest.starts_with("$${") || rest.starts_with("%%{") => {
                    text.push(character);
                    text.push('{');
                    self.at += 3;
                }
                _ => {
                    text.push(character);
                    self.at += character.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, AddressError> {
        let rest = self.rest();
        let (character, len) = match rest.as_bytes().get(1) {
            Some(b'n') => (Some('\n'), 2),
            Some(b'r') => (Some('\r'), 2),
            Some(b't') => (Some('\t'), 2),
            Some(b'"') => (Some('"'), 2),
            Some(b'\\') => (Some('\\'), 2),
            Some(b'a') => (Some('\u{7}'), 2),
            Some(b'b') => (Some('\u{8}'), 2),
            Some(b'f') => (Some('\u{C}'), 2),
            Some(b'v') => (Some('\u{B}'), 2),
            Some(b'x') => (hexadecimal(rest, 2), 4),
            Some(b'u') => (hexadecimal(rest, 4), 6),
            Some(b'U') => (hexadecimal(rest, 8), 10),
            _ => (None, 0),
        };
        let character = character.ok_or(self.error("an escape"))?;
        self.at += len;
        Ok(character)
    }
}

/// The character with this many digits after a backslash and a letter.
fn hexadecimal(escape: &str, digits: usize) -> Option<char> {
    let digits = escape.get(2..2 + digits)?;
    let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hexadecimal.then(|| char::from_u32(u32::from_str_radix(digits, 16).ok()?)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_tools_print_comes_back() {
        for text in [
            "",
            "aws_instance.web",
            "aws_instance.web[0]",
            "aws_instance.web[\"\"]",
            "data.aws_ami.base[\"a.b\"]",
            "ephemeral.x.y",
            "module.a",
            "module.a[\"x]\"].module.b[10]",
            "module.a.module.b[\"k.1\"].t.x[\"say \\\"hi\\\" $${x} %%{y} \\\\ \\n\\t\\r\"]",
            "t.größe-1[\"é\u{1F600}\"]",
            "t.x[*]",
            "t.x[-1]",
            "t.x[123456789012345678901234567890]",
            "t.x[\"\\u0007\"]",
            "t.x[\"a\\u00a0b\\u200b\\ufeff\\ue000 e\u{301} \\U000e0001\"]",
        ] {
            let address = Address::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(address.to_string(), text);
        }
    }

    #[test]
    fn parts() {
        let address = Address::parse("module.m[\"a.b\"].data.t.x[\"$${y}\"]").unwrap();
        assert_eq!(address.modules[0].name, "m");
        assert_eq!(address.modules[0].key, Some(Key::Text("a.b".into())));
        let resource = address.resource.as_ref().unwrap();
        assert_eq!(
            (&resource.mode, resource.resource_type, resource.name),
            (&ResourceMode::Data, "t", "x")
        );
        assert_eq!(resource.key, Some(Key::Text("${y}".into())));
        assert_eq!(address.to_configuration().to_string(), "module.m.data.t.x");
    }

    #[test]
    fn old_escapes_are_read() {
        let address = Address::parse("t.x[\"\\x07\\u00e9\\a${\"]").unwrap();
        let key = address.resource.unwrap().key;
        assert_eq!(key, Some(Key::Text("\u{7}é\u{7}${".into())));
    }

    #[test]
    fn what_is_no_address() {
        for (text, offset) in [
            ("aws_instance", 12),
            ("aws_instance.", 13),
            ("module.", 7),
            ("module.a.", 9),
            ("t.x[", 4),
            ("t.x[\"a", 6),
            ("t.x[\"\\q\"]", 5),
            ("t.x[\"\\uD800\"]", 5),
            ("t.x[\"\\x+1\"]", 5),
            ("t.x[1", 5),
            ("t.x[-]", 4),
            ("t.x.y", 3),
            (".t", 0),
            ("data.t", 6),
            ("1t.x", 0),
        ] {
            assert_eq!(Address::parse(text).map_err(|error| error.offset), Err(offset), "{text}");
        }
    }

    #[test]
    fn providers_of_state_files() {
        for (address, provider) in [
            (
                r#"provider["registry.opentofu.org/hashicorp/null"]"#,
                "registry.opentofu.org/hashicorp/null",
            ),
            (r#"module.m.provider["example.com/a/b"].eu"#, "example.com/a/b"),
            (r#"provider["example.com/a/b"].by["eu"]"#, "example.com/a/b"),
            ("provider.aws", "registry.terraform.io/-/aws"),
            ("module.m.provider.null.west", "registry.terraform.io/-/null"),
            ("module.provider.provider.null", "registry.terraform.io/-/null"),
            ("registry.terraform.io/hashicorp/aws", "registry.terraform.io/hashicorp/aws"),
        ] {
            assert_eq!(super::provider_of(address).as_deref(), Some(provider), "{address}");
        }
        assert_eq!(super::provider_of(""), None);
    }

    #[test]
    fn modules_of_resources() {
        for (address, module) in [
            ("a.b", Some("")),
            ("module.m.a.b", Some("module.m")),
            (
                r#"module.m["x.y"].module.n[0].data.a.b["k"]"#,
                Some(r#"module.m["x.y"].module.n[0]"#),
            ),
            ("module.m", Some("module.m")),
            ("module", Some("")),
            ("module.", None),
            ("module.m[", None),
        ] {
            assert_eq!(super::module_of(address), module, "{address}");
        }
    }
}

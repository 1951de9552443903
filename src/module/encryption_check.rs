//! Checks of the key providers and methods that targets of OpenTofu's encryption need: known types, their
//! arguments, and values that are long enough.
//!
//! The tool checks them when it reads a state or writes a plan. Parts that no target needs are not
//! checked, as there. Values are checked if they are constant.

use std::sync::OnceLock;

use super::Encryption;
use super::config::Config;
use super::encryption::{EncryptionPart, part_of};
use crate::body::{AttributeSchema, Block, BlockSchema, Schema};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expression::Expression;
use crate::hash::HashSet;
use crate::suggest;

/// A type of key providers or methods.
struct Kind {
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    blocks: &'static [&'static str],
    schema: OnceLock<[Schema<'static>; 2]>,
}

impl Kind {
    const fn new(
        name: &'static str,
        required: &'static [&'static str],
        optional: &'static [&'static str],
        blocks: &'static [&'static str],
    ) -> Self {
        Self { name, required, optional, blocks, schema: OnceLock::new() }
    }

    /// The schema of its body: of the only one, or of one of several that are merged, none of which
    /// must have all arguments.
    fn schema(&'static self, is_only: bool) -> &'static Schema<'static> {
        let both = self.schema.get_or_init(|| {
            [false, true].map(|is_only| {
                let required =
                    self.required.iter().map(|name| AttributeSchema { name, required: is_only });
                let optional = self.optional.iter().map(|name| AttributeSchema::optional(name));
                let blocks = self.blocks.iter().map(|name| BlockSchema::new(name, &[]));
                // Made once for each row of the tables.
                let attributes = Vec::leak(required.chain(optional).collect());
                Schema::new(attributes, Vec::leak(blocks.collect()))
            })
        });
        &both[usize::from(is_only)]
    }
}

static KEY_PROVIDERS: [Kind; 6] = [
    Kind::new(
        "aws_kms",
        &["kms_key_id", "key_spec"],
        &[
            "access_key",
            "allowed_account_ids",
            "custom_ca_bundle",
            "ec2_metadata_service_endpoint",
            "ec2_metadata_service_endpoint_mode",
            "encryption_context",
            "forbidden_account_ids",
            "http_proxy",
            "https_proxy",
            "insecure",
            "max_retries",
            "no_proxy",
            "profile",
            "region",
            "retry_mode",
            "secret_key",
            "shared_config_files",
            "shared_credentials_files",
            "skip_credentials_validation",
            "skip_metadata_api_check",
            "skip_requesting_account_id",
            "sts_region",
            "token",
            "use_dualstack_endpoint",
            "use_fips_endpoint",
            // Objects are accepted as well as blocks.
            "assume_role",
            "assume_role_with_web_identity",
        ],
        &["endpoints"],
    ),
    Kind::new(
        "azure_vault",
        &["vault_uri", "vault_key_name", "key_length"],
        &[
            "client_certificate",
            "client_certificate_password",
            "client_certificate_path",
            "client_id",
            "client_id_file_path",
            "client_secret",
            "client_secret_file_path",
            "environment",
            "metadata_host",
            "msi_endpoint",
            "oidc_request_token",
            "oidc_request_url",
            "oidc_token",
            "oidc_token_file_path",
            "subscription_id",
            "symmetric",
            "symmetric_key_size",
            "tenant_id",
            "use_aks_workload_identity",
            "use_cli",
            "use_msi",
            "use_oidc",
        ],
        &[],
    ),
    Kind::new("external", &["command"], &[], &[]),
    Kind::new(
        "gcp_kms",
        &["kms_encryption_key", "key_length"],
        &[
            "access_token",
            "additional_authenticated_data",
            "credentials",
            "impersonate_service_account",
            "impersonate_service_account_delegates",
        ],
        &[],
    ),
    Kind::new(
        "openbao",
        &["key_name"],
        &["address", "associated_data", "key_length", "token", "transit_engine_path"],
        &[],
    ),
    Kind::new(
        "pbkdf2",
        &[],
        &["chain", "hash_function", "iterations", "key_length", "passphrase", "salt_length"],
        &[],
    ),
];

static METHODS: [Kind; 3] = [
    Kind::new("aes_gcm", &["keys"], &["aad"], &[]),
    Kind::new("external", &["encrypt_command", "decrypt_command"], &["keys"], &[]),
    Kind::new("unencrypted", &[], &[], &[]),
];

/// The shortest passphrase of `pbkdf2`, in bytes.
const SHORTEST: usize = 16;

/// The smallest number of iterations of `pbkdf2`.
const FEWEST: i64 = 200_000;

/// Checks the parts of a merged encryption that its targets need. Cost: linear in them.
pub(super) fn check<'a>(encryption: &Encryption<'a>, sink: &mut dyn Sink<'a>) {
    let used = |parts: &'a [EncryptionPart<'a>]| parts.iter().filter(|part| part.is_used);
    for part in used(encryption.key_providers) {
        check_part(part, "key provider", &KEY_PROVIDERS, sink);
        if part.part_type == "pbkdf2" {
            pbkdf2(part, sink);
        }
    }
    for part in used(encryption.methods) {
        check_part(part, "method", &METHODS, sink);
    }
    let methods: HashSet<_> = encryption.methods.iter().map(EncryptionPart::key).collect();
    for target in encryption.targets.iter().filter(|target| target.enforced == Some(true)) {
        for method in target.methods() {
            let name = part_of(method, "method").filter(|name| methods.contains(name));
            if name.is_some_and(|(method_type, _)| method_type == "unencrypted") {
                sink.report(Diagnostic::new(Code::UnencryptedMethod, method.label()));
            }
        }
    }
}

fn check_part<'a>(
    part: &EncryptionPart<'a>,
    what: &'static str,
    kinds: &'static [Kind],
    sink: &mut dyn Sink<'a>,
) {
    let Some(kind) = kinds.iter().find(|kind| kind.name == part.part_type) else {
        let nearest = suggest::nearest(part.part_type, kinds.iter().map(|kind| kind.name));
        let place = part.block.label_place(0);
        sink.report(
            Diagnostic::new(Code::UnknownEncryption, place)
                .with_arguments(&[what, part.part_type])
                .with_suggestion(nearest),
        );
        return;
    };
    let is_only = part.config.bodies().len() == 1;
    for body in part.config.bodies() {
        body.content(kind.schema(is_only), sink);
    }
}

/// Checks the values of a `pbkdf2` key provider, which derives a key from a passphrase.
fn pbkdf2<'a>(part: &EncryptionPart<'a>, sink: &mut dyn Sink<'a>) {
    let Arguments { passphrase, chain, iterations, lengths, hash } = Arguments::of(part.config);
    let mut report = |value: Expression<'a>, rule: &'static str| {
        sink.report(
            Diagnostic::new(Code::KeyProviderValue, value.start_label()).with_arguments(&[rule]),
        );
    };
    match (passphrase, chain) {
        (Some(_), Some(chain)) => {
            report(chain, "\"passphrase\" and \"chain\" exclude each other");
        }
        (Some(value), None) => {
            let text = constant(value).and_then(|value| value.as_str());
            if text.is_some_and(|text| text.len() < SHORTEST) {
                report(value, "a passphrase has at least 16 bytes");
            }
        }
        (None, Some(_)) => {}
        (None, None) => return missing(part.block, sink),
    }
    let number = |value| constant(value)?.as_number()?.as_i64();
    if let Some(value) = iterations
        && number(value).is_some_and(|number| number < FEWEST)
    {
        report(value, "\"iterations\" is at least 200,000");
    }
    for value in lengths {
        if number(value).is_some_and(|number| number <= 0) {
            report(value, "a length is at least 1");
        }
    }
    if let Some(value) = hash
        && let Some(name) = constant(value).and_then(|value| value.as_str())
        && !matches!(name, "sha256" | "sha512")
    {
        report(value, "\"hash_function\" is sha256 or sha512");
    }
}

/// Reports a key provider without a passphrase.
#[cold]
fn missing<'a>(block: Block<'a>, sink: &mut dyn Sink<'a>) {
    sink.report(
        Diagnostic::new(Code::KeyProviderValue, block.definition_label())
            .with_arguments(&["it needs \"passphrase\" or \"chain\""]),
    );
}

/// The arguments of a `pbkdf2` key provider.
#[derive(Default)]
struct Arguments<'a> {
    passphrase: Option<Expression<'a>>,
    chain: Option<Expression<'a>>,
    iterations: Option<Expression<'a>>,
    lengths: Vec<Expression<'a>>,
    hash: Option<Expression<'a>>,
}

impl<'a> Arguments<'a> {
    fn of(config: Config<'a>) -> Self {
        let mut this = Self::default();
        for property in config.properties() {
            let value = property.expression();
            match property.name() {
                "passphrase" => this.passphrase = Some(value),
                "chain" => this.chain = Some(value),
                "iterations" => this.iterations = Some(value),
                "hash_function" => this.hash = Some(value),
                "key_length" | "salt_length" => this.lengths.push(value),
                _ => {}
            }
        }
        this
    }
}

/// The value of an expression without references.
fn constant(value: Expression<'_>) -> Option<crate::value::Value<'_>> {
    let known = value.constant_value(&mut ());
    known.is_known().then_some(known)
}

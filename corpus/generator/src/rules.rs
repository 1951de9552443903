//! Rules for the plans that [`plan`](crate::plan()) writes, as a platform team writes them.

use std::fmt::Write as _;

/// The options of [`rules_text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleOptions {
    /// How many rules.
    pub rules: u64,
    /// Whether all rules are about types that plans have. Otherwise these have a handful each, and
    /// most rules are about other types, as in a file that is shared by many teams.
    pub dense: bool,
}

impl Default for RuleOptions {
    /// 163 rules.
    fn default() -> Self {
        Self { rules: 163, dense: false }
    }
}

/// Arguments of a rule, with `@` for a number that distinguishes rules of one kind.
type Arguments = &'static str;

/// For all types.
const GENERAL: &[Arguments] = &[
    r#""action": ["create", "update"], "warn": "${try(change.after.tags.Team, \"\") == \"none-@\"}", "message": "${change.address} has no team.""#,
    r#""action": ["create", "update", "replace"], "warn": "${change.mode == \"managed\" && length(try(change.after.tags, {})) > 40}""#,
    r#""action": "delete", "deny": "${strcontains(change.address, \"protected-@\")}", "message": "Protected resources stay.""#,
    r#""action": ["create"], "deny": "${!startswith(change.provider_name, \"registry.opentofu.org/\")}", "message": "${change.provider_name} is not approved.""#,
    r#""action": "replace", "warn": "${change.action_reason == \"replace_because_tainted\" && change.index == @}""#,
    r#""action": ["create", "update"], "deny": "${can(regex(\"^tmp-@\", change.name))}""#,
    r#""module": "module.forbidden_@", "deny": true"#,
    r#""action": "no-op", "warn": "${change.previous_address != null && change.name == \"n@\"}""#,
];

/// By type.
const BY_TYPE: [(&str, &[Arguments]); 5] = [
    (
        "aws_s3_bucket",
        &[
            r#""action": ["create", "update"], "deny": "${change.after.force_destroy && length(change.after.bucket) == @}", "message": "${change.address} would lose its objects.""#,
            r#""action": ["create", "update"], "deny": "${!startswith(change.after.bucket, \"acme-\")}""#,
            r#""action": ["create", "update"], "warn": "${length(change.after.lifecycle_rule) == 0}""#,
            r#""action": ["create", "update"], "warn": "${anytrue([for rule in change.after.lifecycle_rule : !rule.enabled])}""#,
            r#""action": "update", "deny": "${change.before.bucket != change.after.bucket}""#,
            r#""action": ["create", "update"], "warn": "${change.after.lifecycle_rule[0].expiration[0].days > 99@}""#,
        ],
    ),
    (
        "aws_iam_policy",
        &[
            r#""action": ["create", "update"], "deny": "${strcontains(change.after.policy, \"Action\\\":\\\"*\\\"@\")}", "message": "${change.address} allows everything.""#,
            r#""action": ["create", "update"], "deny": "${anytrue([for one in jsondecode(change.after.policy).Statement : one.Effect == \"Allow\" && contains(one.Action, \"iam:*@\")])}""#,
            r#""action": ["create", "update"], "warn": "${length(change.after.policy) > 6144}""#,
            r#""action": ["create", "update"], "deny": "${!can(regex(\"^[a-z0-9-]+$\", change.after.name))}""#,
            r#""action": ["delete", "replace"], "warn": "${change.before.name == \"admin-@\"}""#,
        ],
    ),
    (
        "aws_security_group",
        &[
            r#""action": ["create", "update"], "deny": "${anytrue([for rule in change.after.ingress : contains(rule.cidr_blocks, \"0.0.0.0/0\")])}", "message": "${change.address} is open to everybody.""#,
            r#""action": ["create", "update"], "deny": "${contains(change.after.ingress[*].from_port, 3@)}""#,
            r#""action": ["create", "update"], "warn": "${change.after.description == \"\"}""#,
            r#""action": ["create", "update"], "warn": "${change.after.vpc_id == \"vpc-default@\"}""#,
            r#""action": ["create", "update"], "warn": "${length(configuration.expressions.ingress.references) > 9@}""#,
        ],
    ),
    (
        "aws_db_instance",
        &[
            r#""action": ["create", "update"], "warn": "${!change.after.multi_az && change.after.allocated_storage == 1000}""#,
            r#""action": ["create", "update"], "deny": "${!contains(local.engines, change.after.engine)}", "message": "Use ${join(\", \", local.engines)}.""#,
            r#""action": ["create", "update"], "deny": "${length(change.after.password) < 8}""#,
            r#""action": ["create", "update"], "deny": "${change.after.allocated_storage > 5000 + @}""#,
            r#""action": ["create", "update"], "warn": "${startswith(change.after.instance_class, \"db.t2\")}""#,
            r#""action": "delete", "deny": "${resource.engine == \"postgres\" && resource.allocated_storage == 20}", "message": "${change.address} is a database.""#,
        ],
    ),
    (
        "aws_instance",
        &[
            r#""action": ["create", "update"], "deny": "${!contains(local.instance_types, change.after.instance_type) && change.name == \"@\"}""#,
            r#""action": ["create", "update"], "deny": "${anytrue([for disk in change.after.root_block_device : !disk.encrypted])}""#,
            r#""action": ["create", "update"], "deny": "${change.after.get_password_data}""#,
            r#""action": ["create", "update"], "warn": "${strcontains(change.after.user_data, \"curl @\")}""#,
            r#""action": ["create", "update"], "warn": "${change.after.root_block_device[0].volume_size > 2000 + @}""#,
            r#""action": "update", "warn": "${change.before.instance_type != change.after.instance_type && change.after.ami == \"ami-@\"}""#,
        ],
    ),
];

/// Types that generated plans do not have.
const OTHERS: [&str; 20] = [
    "aws_lambda_function",
    "aws_eks_cluster",
    "aws_rds_cluster",
    "aws_kms_key",
    "aws_sqs_queue",
    "aws_sns_topic",
    "aws_dynamodb_table",
    "aws_cloudfront_distribution",
    "aws_elasticache_cluster",
    "aws_ecs_service",
    "aws_ecr_repository",
    "aws_efs_file_system",
    "aws_lb",
    "aws_lb_listener",
    "aws_redshift_cluster",
    "aws_route53_record",
    "aws_secretsmanager_secret",
    "aws_vpc",
    "aws_subnet",
    "aws_cloudtrail",
];

const OF_OTHERS: &[Arguments] = &[
    r#""action": ["create", "update"], "deny": "${!try(change.after.encrypted, false)}", "message": "${change.address} is not encrypted.""#,
    r#""action": ["create", "update"], "deny": "${try(change.after.publicly_accessible, false)}""#,
    r#""action": ["delete", "replace"], "warn": true, "message": "${change.address} goes away.""#,
    r#""action": ["create", "update"], "warn": "${try(change.after.kms_key_id, \"\") == \"\"}""#,
    r#""action": ["create", "update"], "warn": "${try(change.after.tags.Team, \"\") == \"\"}""#,
    r#""action": "update", "warn": "${change.before != change.after && change.name == \"@\"}""#,
];

/// A file of rules in JSON. The same options give the same text.
#[must_use]
pub fn rules_text(options: &RuleOptions) -> String {
    let mut text = String::from(
        "{\n  \"locals\": {\"engines\": [\"postgres\", \"mysql\", \"mariadb\"],\n    \
         \"instance_types\": [\"t3.medium\", \"t4g.large\", \"m6i.large\", \"m7g.xlarge\", \"c7g.2xlarge\", \"r6i.large\"]},\n  \
         \"rule\": {",
    );
    let own: u64 = BY_TYPE.iter().map(|(_, rules)| rules.len() as u64).sum();
    for number in 0..options.rules {
        let comma = if number == 0 { "" } else { "," };
        // Writing into a text does not fail.
        let _ = write!(text, "{comma}\n    \"rule-{number:03}\": {{");
        let general = GENERAL.len() as u64;
        let (resource_type, arguments) = match number.checked_sub(general) {
            None => (None, GENERAL[number as usize]),
            Some(rest) if options.dense || rest < own => {
                let (name, rules) = BY_TYPE[(rest % 5) as usize];
                (Some(name), rules[(rest / 5) as usize % rules.len()])
            }
            Some(rest) => {
                let name = OTHERS[(rest % 20) as usize];
                (Some(name), OF_OTHERS[(rest / 20) as usize % OF_OTHERS.len()])
            }
        };
        if let Some(name) = resource_type {
            let _ = write!(text, "\"type\": \"{name}\", ");
        }
        let _ = write!(text, "{}}}", arguments.replace('@', &number.to_string()));
    }
    text.push_str("\n  }\n}\n");
    text
}

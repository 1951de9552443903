//! The vocabulary of the generated infrastructure.

pub(crate) const SERVICES: [&str; 16] = [
    "auth", "blog", "cart", "chat", "docs", "feed", "geo", "jobs", "mail", "news", "pay", "risk",
    "search", "shop", "stock", "web",
];

pub(crate) const ROLES: [&str; 8] = ["api", "cron", "edge", "lb", "main", "sync", "web", "work"];

/// One in sixteen is not ASCII, as names of places and people are.
pub(crate) const OWNERS: [&str; 16] = [
    "core", "data", "edge", "fraud", "growth", "infra", "legal", "mobile", "net", "ops", "risk",
    "sales", "sre", "tools", "web", "Zürich",
];

pub(crate) const INSTANCE_TYPES: [&str; 6] =
    ["t3.medium", "t4g.large", "m6i.large", "m7g.xlarge", "c7g.2xlarge", "r6i.large"];

pub(crate) const DB_CLASSES: [&str; 4] =
    ["db.t4g.medium", "db.m6g.large", "db.r6g.xlarge", "db.m7g.2xlarge"];

pub(crate) const ENGINES: [&str; 3] = ["postgres", "mysql", "mariadb"];

pub(crate) const SIZES: [u64; 6] = [20, 50, 100, 200, 500, 1000];

pub(crate) const PORTS: [u64; 6] = [22, 80, 443, 5432, 8080, 9090];

pub(crate) const ACTIONS: [&str; 12] = [
    "s3:GetObject",
    "s3:PutObject",
    "s3:ListBucket",
    "s3:DeleteObject",
    "sqs:SendMessage",
    "sqs:ReceiveMessage",
    "kms:Decrypt",
    "kms:GenerateDataKey",
    "logs:PutLogEvents",
    "dynamodb:GetItem",
    "dynamodb:Query",
    "secretsmanager:GetSecretValue",
];

/// The instance keys of every generated `for_each`.
pub(crate) const COLOURS: [&str; 2] = ["blue", "green"];

pub(crate) const STORAGE_CLASSES: [&str; 2] = ["STANDARD_IA", "GLACIER"];

pub(crate) const TIERS: [&str; 4] = ["0", "1", "2", "batch"];

variable "path" {
}
locals {
  config = {"nope" = 1}
}
data "terraform_remote_state" "name" {
  backend = "local"
  config = {"path" = "x", "nope" = 1}
}
data "terraform_remote_state" "type" {
  backend = "local"
  config = {"path" = ["x"]}
}
data "terraform_remote_state" "backend" {
  backend = "nope"
  config = {}
}
data "terraform_remote_state" "object" {
  backend = "s3"
  config = "x"
}
data "terraform_remote_state" "defaults" {
  backend = "local"
  defaults = "x"
}
data "terraform_remote_state" "local" {
  backend = "local"
  config = local.config
}
data "terraform_remote_state" "unknown" {
  backend = "nope"
  config = {"path" = var.path}
}
data "terraform_remote_state" "empty" {
  backend = "local"
  config = {"path" = ""}
}
data "terraform_remote_state" "old" {
  backend = "_local"
  config = {"path" = "x"}
}

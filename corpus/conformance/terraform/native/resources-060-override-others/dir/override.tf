data "terraform_remote_state" "d" {
  lifecycle {
    postcondition {
    }
  }
  depends_on = [a.b]
}
data "terraform_remote_state" "q" {
}
module "m" {
  nope = 1
  depends_on = [a.b, c.d]
  providers = {a = b, a = c}
}
module "q" {
}
output "o" {
  depends_on = [a.b]
}
output "p" {
}
locals {
  l = 2
  m = 1
}
check "c" {
}
ephemeral "a" "b" {
  count = 1
  for_each = 1
}
action = {"a" = {"b" = {"count" = 1}, "c" = {}}}
provider "aws" {
  alias = "q"
}
provider "b" {
}

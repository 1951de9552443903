locals {
  name = "child"
}
module "function" {
  source = lower("./CHILD")
  nope = 1
}
module "local" {
  source = "./${local.name}"
  nope = 1
}
module "path" {
  source = "${path.module}/child"
  nope = 1
}

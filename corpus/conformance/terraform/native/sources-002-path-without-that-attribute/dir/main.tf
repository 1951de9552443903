module "path" {
  source = "${path.nope}/child"
}

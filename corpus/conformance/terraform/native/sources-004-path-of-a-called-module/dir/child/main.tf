module "inner" {
  source = "${path.module}/inner"
}

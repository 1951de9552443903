module "m" {
  depends_on = [local.l]
}

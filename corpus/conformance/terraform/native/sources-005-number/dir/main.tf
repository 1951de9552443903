module "number" {
  source = 1
}

module "function" {
  source = upper()
}

module "child" {
  source = "./child"
  providers = {foo = bar}
}

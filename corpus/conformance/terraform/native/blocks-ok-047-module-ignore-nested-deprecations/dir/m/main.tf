module "n" {
  source = "./n"
}
output "x" {
  value = module.n.old
}

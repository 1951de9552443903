module "m" {
  source = "./m"
  old = 1
  new = 1
}
module "n" {
  source = "./m"
  old = null
}
output "o" {
  value = [module.m.old, module.m.new]
}
output "p" {
  value = module.n.old
}

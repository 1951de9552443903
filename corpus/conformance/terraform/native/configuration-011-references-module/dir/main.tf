module "m" {
  source = "./m"
  a = {"x" = [1]}
}
module "c" {
  source = "./m"
  count = 2
  a = count.index
}
module "f" {
  source = "./m"
  for_each = {"k" = 1}
  a = each.key
}
output "a" {
  value = module.m
}
output "b" {
  value = module.m.o
}
output "c" {
  value = module.m.o.x[0]
}
output "d" {
  value = module.c[0]
}
output "e" {
  value = module.c[1].o
}
output "f" {
  value = module.f["k"].o
}
output "g" {
  value = module.c[*].o
}
output "h" {
  value = module.c
}
output "i" {
  value = module.m["o"]
}
output "k" {
  value = [for k, v in module.f : v.o]
}

module "m" {
  source = "./m"
}
module "n" {
  source = "./m"
  count = 2
}
output "a" {
  value = module.m.nope
}
output "b" {
  value = module.m.o
}
output "c" {
  value = module.m[0].o
}
output "d" {
  value = module.n.o
}
output "e" {
  value = module.n[0].nope
}
output "f" {
  value = module.q.o
}
output "g" {
  value = module.n[*].o
}
output "h" {
  value = module.m
}

module "m" {
  source = "./m"
}
module "n" {
  source = "./m"
  count = 2
}
module "f" {
  source = "./m"
  for_each = {"a" = 1}
}
output "a" {
  value = module.m[0]
}
output "b" {
  value = module.m["o"]
}
output "c" {
  value = module.m["q"]
}
output "d" {
  value = module.n.o
}
output "e" {
  value = module.f.o
}
output "f" {
  value = module.f["a"].o
}
output "g" {
  value = module.f["a"].q
}
output "h" {
  value = module.m.o.x
}
output "i" {
  value = module.m.q
}
output "j" {
  value = module.n[1.5].o
}
output "k" {
  value = module[0]
}
output "l" {
  value = module.n[0][1]
}

output "a" {
  value = each.key
}
output "b" {
  value = count.index
}
output "c" {
  value = self.id
}
output "d" {
  value = "${path.nope} ${path.module} ${terraform.nope} ${terraform.workspace}"
}
output "e" {
  value = "${each.nope} ${count.nope}"
}
output "f" {
  value = var
}
output "g" {
  value = local
}
output "h" {
  value = module.x
}
output "i" {
  value = data.x
}
output "j" {
  value = terraform_data
}
output "k" {
  value = each
}
output "l" {
  value = var.x.y
}
output "m" {
  value = var["x"]
}
output "n" {
  value = nope(1)
}
output "o" {
  value = provider::a::b(1)
}
output "p" {
  value = resource.terraform_data.x
}
output "q" {
  value = ephemeral.a.b
}
output "r" {
  value = path
}
output "s" {
  value = output.x
}
output "t" {
  value = template.x
}
output "u" {
  value = run.x
}
output "v" {
  value = lazy.x
}

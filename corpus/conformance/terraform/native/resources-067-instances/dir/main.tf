resource "terraform_data" "c" {
  count = 1
}
resource "terraform_data" "s" {
}
resource "terraform_data" "f" {
  for_each = {"a" = 1}
}
output "a" {
  value = terraform_data.c.id
}
output "b" {
  value = "${terraform_data.c[0].id} ${terraform_data.c["k"].id}"
}
output "c" {
  value = terraform_data.s[0]
}
output "d" {
  value = terraform_data.s.count
}
output "e" {
  value = terraform_data.f.id
}
output "f" {
  value = terraform_data.f[0].id
}
output "g" {
  value = terraform_data.s["x"].id
}
output "h" {
  value = terraform_data.s[1.5]
}
output "i" {
  value = terraform_data.s[true]
}
output "j" {
  value = terraform_data.c.count
}
output "k" {
  value = "${terraform_data.s[*].id} ${terraform_data.c[*].id}"
}

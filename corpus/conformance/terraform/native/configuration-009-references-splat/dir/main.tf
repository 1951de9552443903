resource "terraform_data" "c" {
  count = 2
  input = {"a" = [1]}
}
resource "terraform_data" "s" {
}
output "a" {
  value = terraform_data.c[*].id
}
output "b" {
  value = terraform_data.c.*.output
}
output "c" {
  value = terraform_data.c[*].output.a[0]
}
output "d" {
  value = terraform_data.s[*].id
}
output "e" {
  value = terraform_data.c[*]
}

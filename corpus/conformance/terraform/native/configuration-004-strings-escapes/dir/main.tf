output "a" {
  value = "$${var.x}"
}
output "b" {
  value = "%%{ if true }"
}
output "c" {
  value = "$$${1}"
}
output "d" {
  value = {"$${k}" = "$${v}"}
}

variable "m" {
  default = {"12345678901" = "x", "1.5" = "y", "100" = "z"}
  type = map(string)
}
output "a" {
  value = var.m[12345678901]
}
output "b" {
  value = var.m[1.5]
}
output "c" {
  value = var.m[1e2]
}

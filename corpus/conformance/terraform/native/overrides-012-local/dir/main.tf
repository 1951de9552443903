locals {
  a = {"x" = 1, "y" = 2}
  b = 1
}
output "o" {
  value = local.a
}

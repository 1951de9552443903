locals {
  x = 1
}
output "a" {
  value = 1
}

output "o" {
  value = "a"
  description = "a"
}
locals {
  l = 1
}

output "o" {
  value = "base"
  description = "base"
}
locals {
  l = 0
}

output "o" {
  value = "b"
  sensitive = true
}
locals {
  l = 2
}

output "o" {
  value = "B"
}
locals {
  l = 3
}

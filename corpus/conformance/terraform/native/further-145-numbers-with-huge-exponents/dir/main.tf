locals {
  a = 1e99999
}
output "a" {
  value = 1e999999999999
}

output "a" {
  value = 1
}
output "b" {
  value = 2
  sensitive = true
}

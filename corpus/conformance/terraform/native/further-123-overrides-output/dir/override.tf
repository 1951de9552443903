output "a" {
  value = 2
  description = "x"
}
output "b" {
  sensitive = false
}
output "c" {
  value = 3
}

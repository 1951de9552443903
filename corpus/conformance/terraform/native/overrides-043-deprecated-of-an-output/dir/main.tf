output "a" {
  value = 1
}
output "b" {
  value = 1
  deprecated = "Old."
}

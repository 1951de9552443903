output "a" {
  value = 2
  deprecated = "Old."
}
output "b" {
  value = 2
}

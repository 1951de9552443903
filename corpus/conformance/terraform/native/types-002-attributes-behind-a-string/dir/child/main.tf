output "text" {
  type = "string"
  value = "a"
}
output "any" {
  value = "a"
}

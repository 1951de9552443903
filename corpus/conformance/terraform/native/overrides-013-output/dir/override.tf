output "a" {
  sensitive = false
  description = ""
}
output "b" {
  value = null
}
output "c" {
  type = "string"
  description = "over"
}

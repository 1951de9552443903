variable "a" {
  description = "A\n\"q\" \\ / 😀"
}
output "b" {
  value = var.a
}

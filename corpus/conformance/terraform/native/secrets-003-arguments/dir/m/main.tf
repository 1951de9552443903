variable "plain" {
}
variable "ephemeral" {
  ephemeral = true
  default = 1
}
variable "typed" {
  type = any
}
output "o" {
  value = [var.plain, var.typed]
}
output "p" {
  value = var.ephemeral
  ephemeral = true
}

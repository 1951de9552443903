variable "a" {
  sensitive = true
  description = "A."
  default = "s"
}
variable "b" {
  sensitive = false
  description = ""
  default = 1
}
variable "c" {
  ephemeral = true
  default = 1
}
variable "d" {
  deprecated = "x"
  nullable = false
  default = 1
}
output "a" {
  value = var.a
  sensitive = true
  description = "<out>"
}
output "b" {
  value = nonsensitive(var.a)
  sensitive = "false"
}

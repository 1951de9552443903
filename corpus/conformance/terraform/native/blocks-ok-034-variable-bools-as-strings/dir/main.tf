variable "a" {
  sensitive = "true"
  nullable = "false"
  default = 1
}
variable "b" {
  sensitive = "0"
  ephemeral = "1"
}
output "o" {
  value = 1
  sensitive = "1"
}

variable "a" {
  sensitive = "true"
  nullable = "false"
  description = 5
  ephemeral = "0"
  default = "$${x}"
}
variable "b" {
  sensitive = 1
  nullable = "1"
}
variable "c" {
  description = true
}

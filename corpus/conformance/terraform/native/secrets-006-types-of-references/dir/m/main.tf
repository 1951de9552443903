variable "m" {
  type = map(string)
}
variable "s" {
  type = string
  default = ""
}
output "o" {
  value = [var.m, var.s]
}

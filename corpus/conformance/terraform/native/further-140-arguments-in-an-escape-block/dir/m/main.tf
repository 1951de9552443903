variable "a" {
}
variable "n" {
  type = number
}
variable "deep" {
  type = map(string)
}
output "o" {
  value = [var.a, var.n, var.deep]
}

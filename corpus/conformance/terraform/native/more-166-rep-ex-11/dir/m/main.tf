variable "v" {
  default = 1
}
variable "w" {
  default = null
}
output "o" {
  value = {"x" = [1]}
}

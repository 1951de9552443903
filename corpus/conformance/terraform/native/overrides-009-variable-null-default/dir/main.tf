variable "a" {
  nullable = false
  default = 1
}
variable "b" {
  default = null
}
variable "c" {
  nullable = false
  default = 1
}

variable "a" {
  default = null
}
variable "b" {
  nullable = false
}
variable "c" {
  nullable = true
  default = null
}

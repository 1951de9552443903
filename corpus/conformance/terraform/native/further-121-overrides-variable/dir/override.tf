variable "a" {
  default = "x"
}
variable "b" {
  type = number
}
variable "c" {
  description = "d"
  sensitive = true
}
variable "d" {
  default = "x"
}
variable "e" {
}

variable "s" {
}
variable "n" {
}
variable "b" {
}
variable "z" {
}
variable "l" {
}
variable "o" {
}
variable "t" {
}
variable "unset" {
  default = 1
}

variable "s" {
  default = "x"
}
variable "n" {
  default = 1.50
}
variable "t" {
  default = true
}
variable "z" {
  default = null
}
variable "l" {
  default = [1, "a", null, [true]]
}
variable "o" {
  default = {"b" = 1, "a" = [{"c" = null}]}
}
variable "el" {
  default = []
}
variable "eo" {
  default = {}
}

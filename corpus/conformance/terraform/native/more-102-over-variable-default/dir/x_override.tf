variable "s" {
  default = "x"
}
variable "n" {
  default = 5
}
variable "t" {
  default = true
}
variable "nul" {
  default = null
}
variable "ea" {
  default = []
}
variable "as" {
  default = ["x"]
}
variable "eo" {
  default = {}
}
variable "tv" {
  default = "$${var.v}"
}
variable "es" {
  default = ""
}
variable "oa" {
  default = [{}]
}
variable "st" {
  default = "false"
}

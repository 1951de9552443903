variable "v" {
}
variable "s" {
  default = "x"
}
variable "n" {
  default = 5
}
variable "f" {
  default = 1.5
}
variable "one" {
  default = 1
}
variable "t" {
  default = true
}
variable "st" {
  default = "true"
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
variable "os" {
  default = {"k" = "x"}
}
variable "tm" {
  default = "$${x}"
}
variable "tv" {
  default = "$${var.v}"
}
variable "tl" {
  default = "a$${var.v}b"
}
variable "es" {
  default = ""
}
variable "esc" {
  default = "x"
}
variable "oa" {
  default = [{}]
}
variable "na" {
  default = [null]
}
variable "dd" {
  default = "$$${x}"
}
variable "nn" {
  default = [5, "a b"]
}
variable "two" {
  default = [{}, {}]
}
variable "ns" {
  default = [["x"]]
}
variable "ob" {
  default = {"a" = {}}
}
variable "ut" {
  default = "$${"
}

variable "v" {
}
variable "s" {
  description = "x"
}
variable "n" {
  description = 5
}
variable "f" {
  description = 1.5
}
variable "one" {
  description = 1
}
variable "t" {
  description = true
}
variable "st" {
  description = "true"
}
variable "nul" {
  description = null
}
variable "ea" {
  description = []
}
variable "as" {
  description = ["x"]
}
variable "eo" {
  description = {}
}
variable "os" {
  description = {"k" = "x"}
}
variable "tm" {
  description = "$${x}"
}
variable "tv" {
  description = "$${var.v}"
}
variable "tl" {
  description = "a$${var.v}b"
}
variable "es" {
  description = ""
}
variable "esc" {
  description = "x"
}
variable "oa" {
  description = [{}]
}
variable "na" {
  description = [null]
}
variable "dd" {
  description = "$$${x}"
}
variable "nn" {
  description = [5, "a b"]
}
variable "two" {
  description = [{}, {}]
}
variable "ns" {
  description = [["x"]]
}
variable "ob" {
  description = {"a" = {}}
}
variable "ut" {
  description = "$${"
}

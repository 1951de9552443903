variable "any" {
  default = {"b" = [1, "x"], "a" = null}
}
variable "bool" {
  type = bool
  default = "false"
}
variable "list" {
  type = list(string)
  default = [1, true]
}
variable "map" {
  type = map(number)
  default = {"k" = "1.0"}
}
variable "null" {
  type = string
  default = null
}
variable "num" {
  type = number
  default = "1e3"
}
variable "obj" {
  type = object({a = number, b = optional(list(string))})
  default = {"a" = "2", "drop" = 1}
}
variable "req" {
}
variable "set" {
  type = set(string)
  default = ["b", "a", "b"]
}
variable "setn" {
  type = set(number)
  default = [10, 2, 1]
}
variable "seto" {
  type = set(object({n = number}))
  default = [{"n" = 2}, {"n" = 1}]
}
variable "str" {
  type = string
  default = 5
}
variable "tmpl" {
  default = "$${not.evaluated}"
}
variable "tuple" {
  type = tuple([string, bool])
  default = [1, "true"]
}

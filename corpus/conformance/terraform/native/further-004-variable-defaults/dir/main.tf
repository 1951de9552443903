variable "a" {
  type = number
  default = "x"
}
variable "b" {
  type = bool
  default = "yes"
}
variable "c" {
  type = list(string)
  default = "x"
}
variable "d" {
  type = list(number)
  default = [1, "2", "z"]
}
variable "e" {
  type = map(string)
  default = ["a"]
}
variable "f" {
  type = object({a = string})
  default = {}
}
variable "g" {
  type = object({a = string})
  default = {"a" = [], "b" = 1}
}
variable "h" {
  type = tuple([string])
  default = ["a", "b"]
}
variable "i" {
  type = set(string)
  default = [{}]
}
variable "j" {
  type = string
  default = ["x"]
}
variable "k" {
  type = string
  default = {"a" = 1}
}
variable "l" {
  nullable = false
  default = null
}
variable "m" {
  type = list(list(string))
  default = [["a"], "b"]
}
variable "n" {
  type = map(object({x = number}))
  default = {"p" = {"x" = "1"}, "q" = {"x" = "no"}}
}
variable "o" {
  type = string
  default = "$${foo}"
}
variable "p" {
  default = "$${"
}
variable "q" {
  type = bool
  default = 1
}

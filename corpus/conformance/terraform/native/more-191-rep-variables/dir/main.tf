variable "a" {
  default = null
}
variable "b" {
  default = 1
  type = string
}
variable "c" {
  default = "1"
  type = number
}
variable "d" {
  default = [1, "a", true]
}
variable "e" {
  default = [1, "a"]
  type = list(string)
}
variable "f" {
  default = {"b" = 1, "a" = 2}
}
variable "g" {
  default = {"a" = 1}
  type = map(string)
}
variable "h" {
  default = {}
  type = object({x = optional(string, "q"), y = optional(number)})
}
variable "i" {
  default = ["b", "a", "b"]
  type = set(string)
}
variable "j" {
  default = true
  sensitive = true
}
variable "k" {
  default = "x"
  sensitive = false
  description = "K"
}
variable "l" {
  default = "$${x}"
}
variable "m" {
  default = 1
  ephemeral = true
}
variable "n" {
  default = 1
  nullable = false
}
variable "o" {
  default = []
  type = list
}
variable "p" {
  default = {}
  type = map
}
variable "q" {
  default = [1, [2]]
  type = tuple([string, list(number)])
}
variable "r" {
  default = 1
  description = ""
}
variable "s" {
  default = "é"
}
variable "t" {
  default = {"é" = 1}
}
variable "u" {
  default = null
  type = string
}
variable "v" {
  default = {"x" = null}
  type = object({x = string})
}
variable "w" {
  default = 1e2
  type = string
}
variable "x" {
  default = 1.10
  type = string
}
variable "y" {
  default = false
  type = string
}
variable "z" {
  default = "0"
  type = bool
}
variable "aa" {
  default = 1
  deprecated = "D"
}
variable "ab" {
  default = 1
  const = true
}
variable "ac" {
  default = 123456789012345678901234567890
  type = string
}
variable "ad" {
  default = {"a" = {"b" = [1]}}
  type = any
}

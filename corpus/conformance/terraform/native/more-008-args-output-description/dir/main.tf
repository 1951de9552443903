variable "v" {
  default = "x"
}
output "s" {
  description = "x"
  value = 1
}
output "n" {
  description = 5
  value = 1
}
output "f" {
  description = 1.5
  value = 1
}
output "one" {
  description = 1
  value = 1
}
output "t" {
  description = true
  value = 1
}
output "st" {
  description = "true"
  value = 1
}
output "nul" {
  description = null
  value = 1
}
output "ea" {
  description = []
  value = 1
}
output "as" {
  description = ["x"]
  value = 1
}
output "eo" {
  description = {}
  value = 1
}
output "os" {
  description = {"k" = "x"}
  value = 1
}
output "tm" {
  description = "$${x}"
  value = 1
}
output "tv" {
  description = "$${var.v}"
  value = 1
}
output "tl" {
  description = "a$${var.v}b"
  value = 1
}
output "es" {
  description = ""
  value = 1
}
output "esc" {
  description = "x"
  value = 1
}
output "oa" {
  description = [{}]
  value = 1
}
output "na" {
  description = [null]
  value = 1
}
output "dd" {
  description = "$$${x}"
  value = 1
}
output "nn" {
  description = [5, "a b"]
  value = 1
}
output "two" {
  description = [{}, {}]
  value = 1
}
output "ns" {
  description = [["x"]]
  value = 1
}
output "ob" {
  description = {"a" = {}}
  value = 1
}
output "ut" {
  description = "$${"
  value = 1
}

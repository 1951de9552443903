variable "a" {
  default = "A"
}
variable "b" {
  default = "B"
}
variable "c" {
  default = true
}
output "repeat" {
  value = "${var.b}${var.a}${var.b}"
}
output "cond" {
  value = var.c ? var.a : var.b
}
output "keys" {
  value = {"z" = var.b, "${var.a}" = var.c, "a" = [var.a, {"${var.b}" = 1}]}
}
output "call" {
  value = join(var.a, [var.b, upper(var.a)])
}
output "for" {
  value = {for k, v in {x = var.a} : k => "${v}${var.b}" if var.c}
}
output "shadow" {
  value = [for var in [1] : var]
}
output "object" {
  value = {(var.a) = var.b, c = var.c}
}
output "op" {
  value = !(var.a == var.b) && var.c
}

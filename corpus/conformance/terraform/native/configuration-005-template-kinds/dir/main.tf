variable "x" {
  default = "v"
}
variable "l" {
  default = ["a"]
}
variable "n" {
  default = 2
}
output "sole" {
  value = var.x
}
output "spaced" {
  value = " ${var.x} "
}
output "two" {
  value = "${var.x}${var.n}"
}
output "constant" {
  value = 1 + 2
}
output "nested" {
  value = "a ${var.x}"
}
output "if" {
  value = "%{ if var.n > 1 }${var.x}%{ else }${var.l[0]}%{ endif }"
}
output "for" {
  value = "%{ for i in var.l }${i}-${var.x} %{ endfor }"
}
output "trim" {
  value = "a %{~ if true ~} ${~ var.x ~} %{~ endif ~} b"
}

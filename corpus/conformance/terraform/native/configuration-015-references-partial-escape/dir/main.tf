variable "a" {
  default = 1
}
output "x" {
  value = "$${var.b} ${var.a} var.c %%{ var.d }"
}
output "y" {
  value = ["var.a", "var.a"]
}

moved {
  from = a.b
  to = a.c
}
check "c" {
  assert {
    condition = 1 == var.x
    error_message = "M."
  }
}
variable "x" {
}

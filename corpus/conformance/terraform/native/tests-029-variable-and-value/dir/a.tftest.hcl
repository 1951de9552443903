variables {
  d = 1
}
variable = {"d" = {"type" = "number"}}

variable = {"a" = {"type" = "strin"}, "b" = {}, "b" = {}, "c" = {"default" = 1, "type" = "string", "x" = 1}, "d" = {}}
variables {
  d = 1
}

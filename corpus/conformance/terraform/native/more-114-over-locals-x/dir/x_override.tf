locals {
  s = "x"
  n = 5
  t = true
  nul = null
  ea = []
  as = ["x"]
  eo = {}
  tv = var.v
  es = ""
  oa = [{}]
  st = "false"
}

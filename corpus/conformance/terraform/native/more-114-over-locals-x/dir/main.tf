locals {
  s = 1
  n = 1
  t = 1
  nul = 1
  ea = 1
  as = 1
  eo = 1
  tv = 1
  es = 1
  oa = 1
  st = 1
}

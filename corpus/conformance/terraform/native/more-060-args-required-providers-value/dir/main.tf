terraform {
  required_providers {
    p-s = "x"
    p-n = 5
    p-f = 1.5
    p-one = 1
    p-t = true
    p-st = "true"
    p-nul = null
    p-ea = []
    p-as = ["x"]
    p-eo = {}
    p-os = {k = "x"}
    p-tm = "$${x}"
    p-tv = "$${var.v}"
    p-tl = "a$${var.v}b"
    p-es = ""
    p-esc = "x"
    p-oa = [{}]
    p-na = [null]
    p-dd = "$$${x}"
    p-nn = [5, "a b"]
    p-two = [{}, {}]
    p-ns = [["x"]]
    p-ob = {a = {}}
    p-ut = "$${"
  }
}

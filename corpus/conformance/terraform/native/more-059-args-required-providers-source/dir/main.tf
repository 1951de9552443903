terraform {
  required_providers {
    p-s = {source = "x"}
    p-n = {source = 5}
    p-f = {source = 1.5}
    p-one = {source = 1}
    p-t = {source = true}
    p-st = {source = "true"}
    p-nul = {source = null}
    p-ea = {source = []}
    p-as = {source = ["x"]}
    p-eo = {source = {}}
    p-os = {source = {"k" = "x"}}
    p-tm = {source = "$${x}"}
    p-tv = {source = "$${var.v}"}
    p-tl = {source = "a$${var.v}b"}
    p-es = {source = ""}
    p-esc = {source = "x"}
    p-oa = {source = [{}]}
    p-na = {source = [null]}
    p-dd = {source = "$$${x}"}
    p-nn = {source = [5, "a b"]}
    p-two = {source = [{}, {}]}
    p-ns = {source = [["x"]]}
    p-ob = {source = {"a" = {}}}
    p-ut = {source = "$${"}
  }
}

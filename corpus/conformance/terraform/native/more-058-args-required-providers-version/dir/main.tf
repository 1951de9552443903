terraform {
  required_providers {
    p-s = {version = "x", source = "a/b"}
    p-n = {version = 5, source = "a/b"}
    p-f = {version = 1.5, source = "a/b"}
    p-one = {version = 1, source = "a/b"}
    p-t = {version = true, source = "a/b"}
    p-st = {version = "true", source = "a/b"}
    p-nul = {version = null, source = "a/b"}
    p-ea = {version = [], source = "a/b"}
    p-as = {version = ["x"], source = "a/b"}
    p-eo = {version = {}, source = "a/b"}
    p-os = {version = {"k" = "x"}, source = "a/b"}
    p-tm = {version = "$${x}", source = "a/b"}
    p-tv = {version = "$${var.v}", source = "a/b"}
    p-tl = {version = "a$${var.v}b", source = "a/b"}
    p-es = {version = "", source = "a/b"}
    p-esc = {version = "x", source = "a/b"}
    p-oa = {version = [{}], source = "a/b"}
    p-na = {version = [null], source = "a/b"}
    p-dd = {version = "$$${x}", source = "a/b"}
    p-nn = {version = [5, "a b"], source = "a/b"}
    p-two = {version = [{}, {}], source = "a/b"}
    p-ns = {version = [["x"]], source = "a/b"}
    p-ob = {version = {"a" = {}}, source = "a/b"}
    p-ut = {version = "$${", source = "a/b"}
  }
}

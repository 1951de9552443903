variable "s" {
  type = string
}
variable "n" {
  type = number
}
variable "b" {
  type = bool
}
variable "l" {
  type = list(string)
}
variable "m" {
  type = map(string)
}
variable "o" {
  type = object({a = string})
}
variable "t" {
  type = tuple([string])
}
variable "set" {
  type = set(string)
}
variable "any" {
  type = any
}
locals {
  c = "x"
  d = {"a" = 1}
}
output "o0" {
  value = 1 + "x"
}
output "o1" {
  value = 1 + "2"
}
output "o2" {
  value = "a" + "b"
}
output "o3" {
  value = !1
}
output "o4" {
  value = !"true"
}
output "o5" {
  value = -"x"
}
output "o6" {
  value = -"5"
}
output "o7" {
  value = true && 1
}
output "o8" {
  value = true && "x"
}
output "o9" {
  value = null == 1
}
output "o10" {
  value = null + 1
}
output "o11" {
  value = 1 / 0
}
output "o12" {
  value = 1 % 0
}
output "o13" {
  value = [] == {}
}
output "o14" {
  value = "a" < "b"
}
output "o15" {
  value = 1 < "2"
}
output "o16" {
  value = true ? 1 : "a"
}
output "o17" {
  value = true ? [] : {}
}
output "o18" {
  value = 1 ? 2 : 3
}
output "o19" {
  value = "true" ? 1 : 2
}
output "o20" {
  value = null ? 1 : 2
}
output "o21" {
  value = [1][5]
}
output "o22" {
  value = [1]["a"]
}
output "o23" {
  value = {a = 1}.b
}
output "o24" {
  value = {a = 1}["b"]
}
output "o25" {
  value = "x".y
}
output "o26" {
  value = 5[0]
}
output "o27" {
  value = null.x
}
output "o28" {
  value = null[0]
}
output "o29" {
  value = [1].x
}
output "o30" {
  value = {a = 1}[0]
}
output "o31" {
  value = [for x in 5 : x]
}
output "o32" {
  value = [for x in null : x]
}
output "o33" {
  value = {for x in [1, 1] : x => x}
}
output "o34" {
  value = {for x in [1] : x => x if 1}
}
output "o35" {
  value = [for x in [1] : x if "x"]
}
output "o36" {
  value = "${[]}"
}
output "o37" {
  value = "${null}"
}
output "o38" {
  value = "a${{}}"
}
output "o39" {
  value = "a${true}"
}
output "o42" {
  value = var.s + 1
}
output "o43" {
  value = var.s.x
}
output "o44" {
  value = var.s[0]
}
output "o45" {
  value = var.s ? 1 : 2
}
output "o46" {
  value = !var.s
}
output "o47" {
  value = var.n.x
}
output "o48" {
  value = var.n + "x"
}
output "o49" {
  value = var.l.x
}
output "o50" {
  value = var.l["a"]
}
output "o51" {
  value = var.l[0].x
}
output "o52" {
  value = var.l["0"]
}
output "o53" {
  value = var.m.x.y
}
output "o54" {
  value = var.m[0]
}
output "o55" {
  value = var.o.nope
}
output "o56" {
  value = var.o.a.b
}
output "o57" {
  value = var.o["nope"]
}
output "o58" {
  value = var.o[0]
}
output "o59" {
  value = var.t[0]
}
output "o60" {
  value = var.t[5]
}
output "o61" {
  value = var.t.x
}
output "o62" {
  value = var.any.x.y
}
output "o63" {
  value = var.l[*].x
}
output "o64" {
  value = var.o.*.a
}
output "o65" {
  value = var.n[*]
}
output "o66" {
  value = "${var.l}"
}
output "o67" {
  value = "a${var.l}"
}
output "o68" {
  value = "a${var.o}b"
}
output "o69" {
  value = {(var.l) = 1}
}
output "o70" {
  value = {(var.s) = 1}
}
output "o71" {
  value = [for k, v in var.s : v]
}
output "o72" {
  value = [for k, v in var.n : v]
}
output "o73" {
  value = [for v in var.o : v]
}
output "o74" {
  value = {for v in var.l : v => v}
}
output "o75" {
  value = var.b && var.s
}
output "o76" {
  value = var.b ? var.l : var.s
}
output "o77" {
  value = var.b ? var.n : var.s
}
output "o78" {
  value = var.b ? null : var.l
}
output "o79" {
  value = var.set[0]
}
output "o80" {
  value = var.set.x
}
output "o85" {
  value = var.s > 1
}
output "o86" {
  value = var.l > 1
}
output "o87" {
  value = -var.s
}
output "o88" {
  value = -var.l
}
output "o89" {
  value = local.c + 1
}
output "o90" {
  value = local.c.x
}
output "o91" {
  value = local.d[0]
}
output "o92" {
  value = local.d.x
}

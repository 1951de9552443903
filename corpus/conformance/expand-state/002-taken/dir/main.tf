moved {
  from = terraform_data.a
  to   = terraform_data.b
}
moved {
  from = terraform_data.b
  to   = terraform_data.c
}
resource "terraform_data" "c" { input = "b" }
moved {
  from = terraform_data.whole
  to   = terraform_data.other
}
resource "terraform_data" "other" {
  count = 3
  input = count.index
}
moved {
  from = terraform_data.counted
  to   = terraform_data.counted[1]
}
resource "terraform_data" "counted" {
  count = 2
  input = 1
}
moved {
  from = terraform_data.both[5]
  to   = terraform_data.elsewhere
}
resource "terraform_data" "both" {
  count = 1
  input = 1
}
resource "terraform_data" "elsewhere" { input = 1 }
moved {
  from = module.m["x"]
  to   = module.n["x"]
}
moved {
  from = module.m["y"]
  to   = module.n["y"]
}
module "n" {
  source   = "./m"
  for_each = toset(["x", "y"])
}
moved {
  from = module.single.module.k.terraform_data.deep[1]
  to   = terraform_data.up
}
resource "terraform_data" "up" { input = 1 }
module "single" {
  source = "./m"
  count  = 1
}

resource "terraform_data" "a" {
  count = 2
}
resource "terraform_data" "b" {
  for_each = {"x" = 1}
}
module "m" {
  source = "./m"
  count = 2
}
moved {
  from = terraform_data.old
  to = terraform_data.a[0]
}
moved {
  from = module.n
  to = module.m[0]
}
moved {
  from = module.n.terraform_data.q
  to = terraform_data.b["x"]
}
moved {
  from = terraform_data.a
  to = terraform_data.a[1]
}

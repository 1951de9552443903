resource "terraform_data" "r" {
}
module "m" {
  source = "./m"
  s = "x"
  n = 1.5
  b = false
  z = null
  l = [terraform_data.r.id, 1]
  o = {"k" = {"v" = terraform_data.r}}
  t = "a ${path.root} b"
}

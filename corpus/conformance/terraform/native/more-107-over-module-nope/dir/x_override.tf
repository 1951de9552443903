module "s" {
  nope = "x"
}
module "n" {
  nope = 5
}
module "t" {
  nope = true
}
module "nul" {
  nope = null
}
module "ea" {
  nope = []
}
module "as" {
  nope = ["x"]
}
module "eo" {
  nope = {}
}
module "tv" {
  nope = var.v
}
module "es" {
  nope = ""
}
module "oa" {
  nope = [{}]
}
module "st" {
  nope = "false"
}

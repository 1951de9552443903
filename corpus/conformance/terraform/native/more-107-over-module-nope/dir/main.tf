variable "v" {
  default = "x"
}
module "s" {
  source = "./m"
}
module "n" {
  source = "./m"
}
module "t" {
  source = "./m"
}
module "nul" {
  source = "./m"
}
module "ea" {
  source = "./m"
}
module "as" {
  source = "./m"
}
module "eo" {
  source = "./m"
}
module "tv" {
  source = "./m"
}
module "es" {
  source = "./m"
}
module "oa" {
  source = "./m"
}
module "st" {
  source = "./m"
}

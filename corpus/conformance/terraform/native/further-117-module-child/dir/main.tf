module "m" {
  source = "./m"
  b = 1
  nope = 2
}
module "n" {
  source = "./m"
  a = 1
}
module "o" {
  source = "./missing"
}
module "p" {
  source = "./"
}
module "q" {
  source = "./m"
  a = var.nope
}

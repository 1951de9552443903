module "m" {
  source = "./m"
  b = 1
  nope = 2
}
module "n" {
  source = "./m"
  a = 1
}
module "q" {
  source = "./m"
  a = null
}
module "r" {
  source = "./m"
  a = 1
}

module "m" {
  source = "./m"
  a = 1
}

module "a" {
  source = "./m"
  x = 1
}

module "m" {
  source = "./m"
  a = 1
  _ {
    b = 2
  }
}

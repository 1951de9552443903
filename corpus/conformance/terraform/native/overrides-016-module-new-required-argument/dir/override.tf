module "m" {
  b = 2
  a = 3
}

module "m" {
  source = "./m"
  a = "x"
  b = ["x"]
  c = {"x" = 1}
  d = 5
  e = {"z" = 1}
  f = null
  g = [1]
  h = "yes"
  i = "true"
}

module "m" {
  source = "./b"
  p = {"x" = "over"}
  r = count.index
  count = 2
  providers = {terraform = terraform.x}
}

module "a" {
  source = 5
}
module "b" {
  source = true
}
module "c" {
  source = []
}
module "d" {
  source = {}
}
module "e" {
  source = "$${x}"
}
module "f" {
  source = "m"
}

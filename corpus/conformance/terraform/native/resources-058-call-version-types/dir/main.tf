module "a" {
  source = "a/b/c"
  version = true
}
module "b" {
  source = "a/b/c"
  version = []
}
module "c" {
  source = "a/b/c"
  version = {}
}
module "d" {
  source = "./m"
  version = null
}
module "e" {
  source = "a/b/c"
  version = path.module
}

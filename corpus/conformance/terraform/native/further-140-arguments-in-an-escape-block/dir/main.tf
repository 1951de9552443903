module "c" {
  source = "./m"
  _ {
    nope = 2
    n = []
    deep = {"a" = var.v}
  }
}
variable "v" {
  default = 1
}

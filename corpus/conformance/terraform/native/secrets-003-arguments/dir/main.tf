variable "e" {
  ephemeral = true
  default = "a"
}
variable "s" {
  sensitive = true
  default = "a"
}
module "m" {
  source = "./m"
  plain = var.e
  ephemeral = var.e
  typed = {"k" = var.e}
}
module "n" {
  source = "./m"
  plain = var.s
  typed = ephemeralasnull(var.e)
}

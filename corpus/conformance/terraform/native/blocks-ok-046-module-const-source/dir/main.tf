variable "which" {
  type = string
  const = true
  default = "m"
}
module "c" {
  source = "./${var.which}"
  a = 1
}

variable "in" {
  type = string
}
module "b" {
  source = "../b"
  in = [var.in]
  count = 1
}
module "c" {
  source = "./c/../c/"
}
output "out" {
  value = module.b[0].out
  description = "from b"
}

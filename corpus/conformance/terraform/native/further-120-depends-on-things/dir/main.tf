resource "terraform_data" "a" {
  depends_on = [terraform_data.nope, data.terraform_remote_state.nope, module.nope, var.nope, local.nope, terraform_data.b.id, module.m.x, path.module, each.key]
}
resource "terraform_data" "b" {
}
module "m" {
  source = "./m"
  depends_on = [terraform_data.zzz, var.q]
}
output "o" {
  value = 1
  depends_on = [terraform_data.yyy, local.q]
}
data "terraform_remote_state" "d" {
  backend = "local"
  depends_on = [terraform_data.xxx]
}

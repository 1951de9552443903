resource "t" "a" {
}
resource "t" "a" {
}
data "t" "a" {
}
ephemeral "t" "a" {
}
action = {"t" = {"a" = {}}}
module "a" {
  source = "./m"
}
check "c" {
  data "t" "a" {
  }
  assert {
    condition = path.module
    error_message = "m"
  }
}

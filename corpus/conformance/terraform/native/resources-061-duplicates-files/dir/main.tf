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

data "terraform_remote_state" "s" {
  config = {"path" = "b"}
  count = 1
  defaults = {"k" = "v"}
}

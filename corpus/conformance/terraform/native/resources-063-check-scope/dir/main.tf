check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
  }
  assert {
    condition = data.terraform_remote_state.s.outputs == 1
    error_message = "m"
  }
}
check "d" {
  assert {
    condition = data.terraform_remote_state.s.outputs == 1
    error_message = "m"
  }
}
output "a" {
  value = data.terraform_remote_state.s
}
output "b" {
  value = 1
  depends_on = [data.terraform_remote_state.s]
}

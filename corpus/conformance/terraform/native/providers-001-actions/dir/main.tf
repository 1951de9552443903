terraform {
  required_providers {
    other = {source = "example/other"}
  }
}
variable "n" {
  default = 1
}
action = {"test_run" = {"b" = {"count" = var.n, "config" = {"what" = "x"}}, "a" = {"for_each" = {"k" = var.n}, "provider" = "other"}}, "third_run" = {"c" = {}}}
resource "terraform_data" "r" {
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [action.test_run.b[0], action.third_run.c]
    }
  }
}

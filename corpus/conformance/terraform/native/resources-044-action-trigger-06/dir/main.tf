action = {"x" = {"n" = {}}}
resource "terraform_data" "n" {
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [list.a.b]
    }
  }
}

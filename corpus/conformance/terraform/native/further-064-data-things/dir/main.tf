data "terraform_remote_state" "a" {
  backend = "local"
  lifecycle {
    create_before_destroy = true
  }
}
data "terraform_remote_state" "b" {
  backend = "local"
  lifecycle {
    prevent_destroy = true
    ignore_changes = []
    replace_triggered_by = []
  }
}
data "terraform_remote_state" "c" {
  backend = "local"
  lifecycle {
    postcondition {
      condition = self.x == 1
      error_message = "M."
    }
  }
}
data "terraform_remote_state" "d" {
  backend = "local"
  count = 1
  for_each = []
}
data "terraform_remote_state" "e" {
  backend = "local"
  connection {
  }
}
data "terraform_remote_state" "f" {
  backend = "local"
}
data "terraform_remote_state" "g" {
  backend = "local"
  locals = {}
}
data "terraform_remote_state" "h" {
  provider = x.y.z
  backend = "local"
}
data "terraform_remote_state" "i" {
  backend = "local"
  lifecycle {
    precondition {
      condition = data.terraform_remote_state.i.x == 1
      error_message = "M."
    }
  }
}

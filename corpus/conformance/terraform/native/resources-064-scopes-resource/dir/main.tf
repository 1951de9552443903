resource "terraform_data" "a" {
  count = 2
  input = self.id
}
resource "terraform_data" "b" {
  lifecycle {
    precondition {
      condition = self.id == 1
      error_message = each.key
    }
  }
}
resource "terraform_data" "c" {
  lifecycle {
    postcondition {
      condition = self.id == 1
      error_message = count.index
    }
  }
}
resource "terraform_data" "d" {
  connection {
    host = each.key
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "e" {
  provisioner "local-exec" {
    command = count.index
  }
}
resource "terraform_data" "f" {
  for_each = {"a" = 1}
  input = "${each.value}${count.index}"
}
resource "terraform_data" "g" {
  for_each = {"a" = 1}
  input = each.foo
}
resource "terraform_data" "h" {
  count = each.key
}
resource "terraform_data" "i" {
  for_each = self
}
data "terraform_remote_state" "a" {
  backend = each.key
}

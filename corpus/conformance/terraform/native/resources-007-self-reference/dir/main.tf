resource "terraform_data" "a" {
  count = 1
  lifecycle {
    precondition {
      condition = terraform_data.a[0].id == 1
      error_message = terraform_data.a
    }
  }
}
resource "terraform_data" "b" {
  lifecycle {
    postcondition {
      condition = self.id == 1
      error_message = terraform_data.b.id
    }
  }
}
resource "terraform_data" "c" {
  lifecycle {
    precondition {
      condition = resource.terraform_data.c.id == 1
      error_message = "m"
    }
  }
}
resource "terraform_data" "d" {
  lifecycle {
    precondition {
      condition = data.terraform_data.d.id == 1
      error_message = "m"
    }
  }
}

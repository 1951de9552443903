resource "terraform_data" "a" {
  lifecycle {
    create_before_destroy = null
  }
}
resource "terraform_data" "b" {
  lifecycle {
    create_before_destroy = "1"
  }
}
resource "terraform_data" "c" {
  lifecycle {
    create_before_destroy = 0
  }
}
resource "terraform_data" "d" {
  lifecycle {
    prevent_destroy = true
  }
}
resource "terraform_data" "e" {
  lifecycle {
    prevent_destroy = []
  }
}
resource "terraform_data" "f" {
  lifecycle {
    prevent_destroy = {}
  }
}
resource "terraform_data" "g" {
  lifecycle {
    prevent_destroy = "false"
  }
}

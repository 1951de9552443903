variable "v" {
  default = "x"
}
resource "terraform_data" "s" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "n" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "t" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "nul" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "ea" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "as" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "eo" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "tv" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "es" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "oa" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}
resource "terraform_data" "st" {
  input = 1
  lifecycle {
    ignore_changes = [input]
  }
  provisioner "local-exec" {
    command = "x"
  }
}

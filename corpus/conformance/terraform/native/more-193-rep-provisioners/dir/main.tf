variable "s" {
  default = "a"
}
variable "l" {
  type = list(string)
  default = ["a"]
}
variable "m" {
  type = map(string)
  default = {"a" = "b"}
}
variable "o" {
  type = object({x = list(object({y = string}))})
  default = {"x" = [{"y" = "z"}]}
}
variable "b" {
  type = bool
  default = true
}
variable "n" {
  default = 0
}
locals {
  k = 1
  lo = [{"a" = 1}]
}
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "echo ${var.s} ${self.id}"
    environment = {"A" = var.n}
    when = create
    on_failure = continue
    interpreter = ["a"]
  }
}
resource "terraform_data" "b" {
  provisioner "local-exec" {
    command = "a"
  }
  provisioner "local-exec" {
    command = "b"
    when = destroy
  }
  provisioner "remote-exec" {
    inline = ["x", var.s]
    connection {
      host = var.s
    }
  }
  provisioner "file" {
    content = var.s
    destination = "d"
    _ {
      source = null
    }
  }
}
resource "terraform_data" "c" {
  connection {
    host = "h"
  }
  provisioner "local-exec" {
    command = "x"
  }
}

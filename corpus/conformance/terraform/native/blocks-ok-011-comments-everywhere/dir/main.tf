terraform {
  required_providers {
  }
  backend "local" {
  }
}
provider "terraform" {
}
variable "v" {
  default = 1
  validation {
    condition = var.v > 0
    error_message = "m"
  }
}
locals {
  l = 1
}
output "o" {
  value = 2
  precondition {
    condition = local.l == 1
    error_message = "m"
  }
}
module "m" {
  source = "./m"
}
resource "terraform_data" "r" {
  input = 1
  lifecycle {
    prevent_destroy = false
    postcondition {
      condition = self.id != 1
      error_message = "m"
    }
  }
  connection {
    host = "h"
  }
  provisioner "local-exec" {
    command = "true"
    connection {
      host = "h"
    }
  }
  _ {
  }
}
data "terraform_remote_state" "d" {
  backend = "local"
  depends_on = [terraform_data.r]
  lifecycle {
  }
}
moved {
  from = terraform_data.o
  to = terraform_data.p
}
import {
  to = terraform_data.r
  id = "i"
}
removed {
  from = terraform_data.z
  lifecycle {
    destroy = false
  }
}
check "c" {
  assert {
    condition = local.l == 1
    error_message = "m"
  }
}

variable "s" {
  type = string
}
variable "n" {
  type = number
}
variable "b" {
  type = bool
}
variable "l" {
  type = list(string)
}
variable "o" {
  type = object({a = string})
}
variable "any" {
}
resource "terraform_data" "o0" {
  lifecycle {
    precondition {
      condition = true
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o1" {
  lifecycle {
    precondition {
      condition = "true"
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o2" {
  lifecycle {
    precondition {
      condition = "x"
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o3" {
  lifecycle {
    precondition {
      condition = 5
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o4" {
  lifecycle {
    precondition {
      condition = null
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o5" {
  lifecycle {
    precondition {
      condition = []
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o6" {
  lifecycle {
    precondition {
      condition = true
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o7" {
  lifecycle {
    precondition {
      condition = var.b
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o8" {
  lifecycle {
    precondition {
      condition = var.s
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o9" {
  lifecycle {
    precondition {
      condition = var.n
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o10" {
  lifecycle {
    precondition {
      condition = var.l
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o11" {
  lifecycle {
    precondition {
      condition = var.s == 1
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o12" {
  lifecycle {
    precondition {
      condition = "a${var.s}"
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o13" {
  lifecycle {
    precondition {
      condition = var.b && var.s
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o14" {
  lifecycle {
    precondition {
      condition = length(var.l) > 0
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o15" {
  lifecycle {
    precondition {
      condition = length(var.s)
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o16" {
  lifecycle {
    precondition {
      condition = var.any
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o17" {
  lifecycle {
    precondition {
      condition = null
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o18" {
  lifecycle {
    precondition {
      condition = var.o
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o19" {
  lifecycle {
    precondition {
      condition = {}
      error_message = "m ${var.s}"
    }
  }
}
resource "terraform_data" "o20" {
  lifecycle {
    precondition {
      condition = var.b ? 1 : 2
      error_message = "m ${var.s}"
    }
  }
}

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
output "o0" {
  value = 1
  precondition {
    condition = var.b
    error_message = 5
  }
}
output "o1" {
  value = 1
  precondition {
    condition = var.b
    error_message = true
  }
}
output "o2" {
  value = 1
  precondition {
    condition = var.b
    error_message = null
  }
}
output "o3" {
  value = 1
  precondition {
    condition = var.b
    error_message = []
  }
}
output "o4" {
  value = 1
  precondition {
    condition = var.b
    error_message = {}
  }
}
output "o5" {
  value = 1
  precondition {
    condition = var.b
    error_message = var.l
  }
}
output "o6" {
  value = 1
  precondition {
    condition = var.b
    error_message = var.s
  }
}
output "o7" {
  value = 1
  precondition {
    condition = var.b
    error_message = var.o
  }
}
output "o8" {
  value = 1
  precondition {
    condition = var.b
    error_message = "a${var.l}"
  }
}
output "o9" {
  value = 1
  precondition {
    condition = var.b
    error_message = null
  }
}
output "o10" {
  value = 1
  precondition {
    condition = var.b
    error_message = ""
  }
}
output "o11" {
  value = 1
  precondition {
    condition = var.b
    error_message = var.any
  }
}
output "o12" {
  value = 1
  precondition {
    condition = var.b
    error_message = var.b
  }
}
output "o13" {
  value = 1
  precondition {
    condition = var.b
    error_message = var.n
  }
}
output "o14" {
  value = 1
  precondition {
    condition = var.b
    error_message = ["x"]
  }
}
output "o15" {
  value = 1
  precondition {
    condition = var.b
    error_message = upper(var.s)
  }
}
output "o16" {
  value = 1
  precondition {
    condition = var.b
    error_message = length()
  }
}

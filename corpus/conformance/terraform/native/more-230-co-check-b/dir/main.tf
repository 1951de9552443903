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
check "o0" {
  assert {
    condition = true
    error_message = "m ${var.s}"
  }
}
check "o1" {
  assert {
    condition = "true"
    error_message = "m ${var.s}"
  }
}
check "o2" {
  assert {
    condition = "x"
    error_message = "m ${var.s}"
  }
}
check "o3" {
  assert {
    condition = 5
    error_message = "m ${var.s}"
  }
}
check "o4" {
  assert {
    condition = null
    error_message = "m ${var.s}"
  }
}
check "o5" {
  assert {
    condition = []
    error_message = "m ${var.s}"
  }
}
check "o6" {
  assert {
    condition = true
    error_message = "m ${var.s}"
  }
}
check "o7" {
  assert {
    condition = var.b
    error_message = "m ${var.s}"
  }
}
check "o8" {
  assert {
    condition = var.s
    error_message = "m ${var.s}"
  }
}
check "o9" {
  assert {
    condition = var.n
    error_message = "m ${var.s}"
  }
}
check "o10" {
  assert {
    condition = var.l
    error_message = "m ${var.s}"
  }
}
check "o11" {
  assert {
    condition = var.s == 1
    error_message = "m ${var.s}"
  }
}
check "o12" {
  assert {
    condition = "a${var.s}"
    error_message = "m ${var.s}"
  }
}
check "o13" {
  assert {
    condition = var.b && var.s
    error_message = "m ${var.s}"
  }
}
check "o14" {
  assert {
    condition = length(var.l) > 0
    error_message = "m ${var.s}"
  }
}
check "o15" {
  assert {
    condition = length(var.s)
    error_message = "m ${var.s}"
  }
}
check "o16" {
  assert {
    condition = var.any
    error_message = "m ${var.s}"
  }
}
check "o17" {
  assert {
    condition = null
    error_message = "m ${var.s}"
  }
}
check "o18" {
  assert {
    condition = var.o
    error_message = "m ${var.s}"
  }
}
check "o19" {
  assert {
    condition = {}
    error_message = "m ${var.s}"
  }
}
check "o20" {
  assert {
    condition = var.b ? 1 : 2
    error_message = "m ${var.s}"
  }
}

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
    condition = var.b
    error_message = 5
  }
}
check "o1" {
  assert {
    condition = var.b
    error_message = true
  }
}
check "o2" {
  assert {
    condition = var.b
    error_message = null
  }
}
check "o3" {
  assert {
    condition = var.b
    error_message = []
  }
}
check "o4" {
  assert {
    condition = var.b
    error_message = {}
  }
}
check "o5" {
  assert {
    condition = var.b
    error_message = var.l
  }
}
check "o6" {
  assert {
    condition = var.b
    error_message = var.s
  }
}
check "o7" {
  assert {
    condition = var.b
    error_message = var.o
  }
}
check "o8" {
  assert {
    condition = var.b
    error_message = "a${var.l}"
  }
}
check "o9" {
  assert {
    condition = var.b
    error_message = null
  }
}
check "o10" {
  assert {
    condition = var.b
    error_message = ""
  }
}
check "o11" {
  assert {
    condition = var.b
    error_message = var.any
  }
}
check "o12" {
  assert {
    condition = var.b
    error_message = var.b
  }
}
check "o13" {
  assert {
    condition = var.b
    error_message = var.n
  }
}
check "o14" {
  assert {
    condition = var.b
    error_message = ["x"]
  }
}
check "o15" {
  assert {
    condition = var.b
    error_message = upper(var.s)
  }
}
check "o16" {
  assert {
    condition = var.b
    error_message = length()
  }
}

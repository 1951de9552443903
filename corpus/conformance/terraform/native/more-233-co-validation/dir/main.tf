variable "s" {
  type = string
}
variable "l" {
  type = list(string)
}
variable "n" {
}
variable "o0" {
  type = string
  validation {
    condition = var.o0
    error_message = "m"
  }
}
variable "o1" {
  type = number
  validation {
    condition = var.o1
    error_message = "m"
  }
}
variable "o2" {
  type = bool
  validation {
    condition = var.o2
    error_message = "m"
  }
}
variable "o3" {
  type = list(string)
  validation {
    condition = var.o3
    error_message = "m"
  }
}
variable "o4" {
  type = any
  validation {
    condition = var.o4
    error_message = "m"
  }
}
variable "o5" {
  type = string
  validation {
    condition = length(var.o5)
    error_message = "m"
  }
}
variable "o6" {
  type = string
  validation {
    condition = var.o6 == null
    error_message = "m"
  }
}
variable "o7" {
  type = string
  validation {
    condition = "a${var.o7}"
    error_message = "m"
  }
}
variable "o8" {
  type = string
  validation {
    condition = var.o8 > 1
    error_message = "m"
  }
}
variable "o9" {
  type = string
  validation {
    condition = var.o9.x
    error_message = "m"
  }
}
variable "o10" {
  type = object({a=string})
  validation {
    condition = var.o10.b
    error_message = "m"
  }
}
variable "o11" {
  type = object({a=string})
  validation {
    condition = var.o11.a
    error_message = "m"
  }
}
variable "o12" {
  type = list(string)
  validation {
    condition = var.o12[0]
    error_message = "m"
  }
}
variable "o13" {
  type = number
  validation {
    condition = var.o13 + "x"
    error_message = "m"
  }
}
variable "o14" {
  type = string
  validation {
    condition = regex("x", var.o14)
    error_message = "m"
  }
}
variable "o15" {
  type = string
  validation {
    condition = can(regex("x", var.o15))
    error_message = "m"
  }
}

moved {
  from = a.d
  to = a.e
}
import {
  to = a.b
  id = "x"
}
removed {
  from = a.f
}
check "c" {
  assert {
    condition = true
    error_message = "M."
  }
}
ephemeral "t" "x" {
}

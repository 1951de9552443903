moved {
  from = terraform_data.x
  to = terraform_data.a
}
import {
  to = terraform_data.a
  id = "i"
}
import {
  to = terraform_data.a
  id = "j"
}
removed {
  from = terraform_data.y
}
check "c" {
  assert {
    condition = true
    error_message = "m"
  }
  nonsense = 1
}

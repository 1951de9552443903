import {
  to = terraform_data.a[0]
  id = "x"
}
import {
  for_each = {"a" = 1}
  to = terraform_data.b[each.key]
  id = "x"
}
import {
  to = terraform_data.d
  id = "x"
}

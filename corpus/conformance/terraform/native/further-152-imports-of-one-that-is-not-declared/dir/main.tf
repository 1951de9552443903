import {
  for_each = {"a" = 1}
  to = terraform_data.c
  id = "x"
}

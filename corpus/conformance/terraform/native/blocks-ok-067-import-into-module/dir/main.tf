module "m" {
  source = "./m"
  for_each = {"k" = 1}
}
import {
  to = module.m["k"].terraform_data.r
  id = "x"
}

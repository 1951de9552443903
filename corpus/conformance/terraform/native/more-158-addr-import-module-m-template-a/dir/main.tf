import {
  to = module.m.template.a
  id = "x"
}

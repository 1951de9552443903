moved {
  from = terraform_data.a
  to = terraform_data.b
}
moved {
  from = terraform_data.c
  to = terraform_data.d[0]
}
moved {
  from = terraform_data.e["k"]
  to = module.m.terraform_data.e
}
moved {
  from = module.x
  to = module.y
}
moved {
  from = module.z[0].module.z
  to = module.w["a b"]
}
moved {
  from = data.terraform_remote_state.s
  to = data.terraform_remote_state.t
}
moved {
  from = resource.terraform_data.f
  to = terraform_data.g
}

override_resource {
  target = resource.terraform_data.a
}
override_resource {
  target = terraform_data.a
}
override_resource {
  target = terraform_data.b["k"]
}
override_resource {
  target = terraform_data.b['k']
}
override_resource {
  target = terraform_data.a[1.5]
}
override_resource {
  target = local.x
}
override_resource {
  target = each.value
}
override_resource {
  target = ephemeral.a.b
}

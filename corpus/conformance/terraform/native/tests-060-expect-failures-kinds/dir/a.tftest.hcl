run "a" {
  expect_failures = [local.x, module.c, path.module, each.key, terraform_data.a, var.v, module.c.y, count.index, self, ephemeral.a.b, output.o.x, check.k.x, var.v.x, terraform_data.a[0].x, terraform.workspace, tofu.x, resource.terraform_data.a, module.c[0]]
}

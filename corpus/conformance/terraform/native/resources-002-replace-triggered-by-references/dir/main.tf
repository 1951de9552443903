resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [self]
  }
}
resource "terraform_data" "b" {
  lifecycle {
    replace_triggered_by = [path.module]
  }
}
resource "terraform_data" "c" {
  lifecycle {
    replace_triggered_by = [data.a.b.c]
  }
}
resource "terraform_data" "d" {
  lifecycle {
    replace_triggered_by = [ephemeral.a.b]
  }
}
resource "terraform_data" "e" {
  lifecycle {
    replace_triggered_by = [module.m]
  }
}
resource "terraform_data" "f" {
  lifecycle {
    replace_triggered_by = [each.key]
  }
}
resource "terraform_data" "g" {
  lifecycle {
    replace_triggered_by = [count.index]
  }
}
resource "terraform_data" "h" {
  lifecycle {
    replace_triggered_by = [local.x]
  }
}
resource "terraform_data" "i" {
  lifecycle {
    replace_triggered_by = [action.a.b]
  }
}
resource "terraform_data" "j" {
  lifecycle {
    replace_triggered_by = [resource.a.b]
  }
}
resource "terraform_data" "k" {
  lifecycle {
    replace_triggered_by = [terraform.workspace]
  }
}
resource "terraform_data" "l" {
  lifecycle {
    replace_triggered_by = [a.b[each.foo]]
  }
}
resource "terraform_data" "m" {
  lifecycle {
    replace_triggered_by = [a.b[count.foo]]
  }
}
resource "terraform_data" "n" {
  lifecycle {
    replace_triggered_by = [a.b[var.x]]
  }
}
resource "terraform_data" "o" {
  lifecycle {
    replace_triggered_by = [data]
  }
}
resource "terraform_data" "p" {
  lifecycle {
    replace_triggered_by = [template.x]
  }
}
resource "terraform_data" "q" {
  lifecycle {
    replace_triggered_by = [a.b[1.5]]
  }
}

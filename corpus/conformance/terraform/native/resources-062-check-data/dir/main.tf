check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
    count = 1
  }
  assert {
    condition = path.module
    error_message = "m"
  }
}
check "d" {
  data "terraform_remote_state" "s" {
    backend = "local"
    lifecycle {
      prevent_destroy = true
    }
  }
  assert {
    condition = path.module
    error_message = "m"
  }
}
check "e" {
  data "t" "a" {
  }
  data "t" "a" {
  }
  assert {
    condition = path.module
    error_message = "m"
  }
}

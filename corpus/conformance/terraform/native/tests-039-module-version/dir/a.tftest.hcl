run "a" {
  module {
    source = "./child"
    version = "1.0"
  }
}
run "b" {
  module {
    source = "hashicorp/consul/aws"
    version = "x"
  }
}
run "c" {
  module {
    source = "./child"
    version = null
  }
}

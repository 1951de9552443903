run "r" {
  module {
    source = "./child"
  }
  module {
    source = "./child"
  }
}

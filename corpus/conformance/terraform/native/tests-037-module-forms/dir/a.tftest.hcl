run "a" {
  module {
  }
}
run "b" {
  module {
    version = "1.0"
  }
}
run "c" {
  module {
    source = 5
  }
}
run "d" {
  module {
    source = null
  }
}
run "e" {
  module {
    source = "./child"
    x = 1
  }
}
run "f" {
  module {
    source = ""
    version = "1"
  }
}
run "g" {
  module {
    source = "child"
  }
}

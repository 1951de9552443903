tfv = "7"
auto = "tfvars"
obj = { a = 5 }

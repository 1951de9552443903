runs = {}
resource = {"a" = {"b" = {}}}
locals = {}
mock = {}

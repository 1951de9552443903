v0 = [{ a = "1" }, { a = "2", b = false }]

only = 1

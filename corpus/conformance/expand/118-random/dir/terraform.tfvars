v2 = "false"

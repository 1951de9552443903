action = {}

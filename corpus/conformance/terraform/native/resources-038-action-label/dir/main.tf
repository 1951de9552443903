action = {"x" = {}}

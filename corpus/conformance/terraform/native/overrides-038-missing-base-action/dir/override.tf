action = {"example_a" = {"x" = {"config" = {"k" = 2}, "count" = 2}, "y" = {}}}

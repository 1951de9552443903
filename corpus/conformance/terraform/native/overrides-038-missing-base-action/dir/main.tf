action = {"example_a" = {"x" = {"config" = {"k" = 1}}}}

locals { z = 1 }

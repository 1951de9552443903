auto = "b-native"

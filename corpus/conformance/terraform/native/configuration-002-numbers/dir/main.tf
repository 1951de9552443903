output "a" {
  value = 12345678901234567890123456789
}
output "b" {
  value = 0.1
}
output "c" {
  value = 1.50
}
output "d" {
  value = 1e3
}
output "e" {
  value = 1E-7
}
output "f" {
  value = -0
}
output "g" {
  value = -0.0
}
output "h" {
  value = 1e40
}
output "i" {
  value = 3.14159265358979323846264338327950288419716939937510582097494459
}
output "j" {
  value = 18446744073709551616
}
output "k" {
  value = [1.0, 100, 1e2, 1.10e1]
}
output "l" {
  value = 123456789.123456789
}
output "m" {
  value = 9007199254740993
}
output "n" {
  value = 0.1000000000000000055511151231257827021181583404541015625
}

locals {
  x = "é e̋ 👩‍👩‍👧 한국 n̈"
}
variable "π" {
  description = "ⅷ 日本"
}
variable "naïve-日本" {
}
output "o" {
  description = "🇫🇷🇩🇪"
  value = 1
}

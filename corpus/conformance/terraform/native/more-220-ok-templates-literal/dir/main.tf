variable "a" {
  description = "$${nope}"
  default = "%%{ if"
  type = string
}
output "o" {
  value = "$${a} %%{b}"
  description = "$${x"
}

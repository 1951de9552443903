variable "s" {
  type = string
}
variable "n" {
  type = number
}
variable "b" {
  type = bool
}
variable "l" {
  type = list(string)
}
variable "any" {
}
locals {
  c = "x"
}
resource "terraform_data" "o0" {
  count = 5
}
resource "terraform_data" "o1" {
  count = "5"
}
resource "terraform_data" "o2" {
  count = "x"
}
resource "terraform_data" "o3" {
  count = -1
}
resource "terraform_data" "o4" {
  count = 1.5
}
resource "terraform_data" "o5" {
  count = null
}
resource "terraform_data" "o6" {
  count = true
}
resource "terraform_data" "o7" {
  count = []
}
resource "terraform_data" "o8" {
  count = {}
}
resource "terraform_data" "o9" {
  count = var.n
}
resource "terraform_data" "o10" {
  count = var.s
}
resource "terraform_data" "o11" {
  count = var.l
}
resource "terraform_data" "o12" {
  count = length(var.l)
}
resource "terraform_data" "o13" {
  count = var.b ? 1 : 0
}
resource "terraform_data" "o14" {
  count = 1.5
}
resource "terraform_data" "o15" {
  count = -1
}
resource "terraform_data" "o16" {
  count = "x"
}
resource "terraform_data" "o17" {
  count = null
}
resource "terraform_data" "o18" {
  count = []
}
resource "terraform_data" "o19" {
  count = var.any
}
resource "terraform_data" "o20" {
  count = 1e3
}
resource "terraform_data" "o21" {
  count = 99999999999
}
resource "terraform_data" "o22" {
  count = local.c
}
resource "terraform_data" "o23" {
  count = var.b
}
resource "terraform_data" "o24" {
  count = toset([])
}
resource "terraform_data" "o25" {
  count = "1e2"
}
resource "terraform_data" "o26" {
  count = " 5"
}
resource "terraform_data" "o27" {
  count = "0x5"
}
resource "terraform_data" "o28" {
  count = ""
}

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
variable "m" {
  type = map(string)
}
variable "o" {
  type = object({a = string})
}
variable "t" {
  type = tuple([string])
}
variable "set" {
  type = set(string)
}
variable "sn" {
  type = set(number)
}
variable "any" {
}
locals {
  c = "x"
}
resource "terraform_data" "o0" {
  for_each = 5
}
resource "terraform_data" "o1" {
  for_each = "x"
}
resource "terraform_data" "o2" {
  for_each = null
}
resource "terraform_data" "o3" {
  for_each = true
}
resource "terraform_data" "o4" {
  for_each = []
}
resource "terraform_data" "o5" {
  for_each = ["a"]
}
resource "terraform_data" "o6" {
  for_each = {}
}
resource "terraform_data" "o7" {
  for_each = {"a" = 1}
}
resource "terraform_data" "o8" {
  for_each = var.l
}
resource "terraform_data" "o9" {
  for_each = toset(var.l)
}
resource "terraform_data" "o10" {
  for_each = var.m
}
resource "terraform_data" "o11" {
  for_each = var.s
}
resource "terraform_data" "o12" {
  for_each = var.set
}
resource "terraform_data" "o13" {
  for_each = var.sn
}
resource "terraform_data" "o14" {
  for_each = var.o
}
resource "terraform_data" "o15" {
  for_each = var.t
}
resource "terraform_data" "o16" {
  for_each = var.any
}
resource "terraform_data" "o17" {
  for_each = toset([])
}
resource "terraform_data" "o20" {
  for_each = {a = 1}
}
resource "terraform_data" "o21" {
  for_each = []
}
resource "terraform_data" "o22" {
  for_each = null
}
resource "terraform_data" "o23" {
  for_each = var.b ? {a = 1} : {}
}
resource "terraform_data" "o24" {
  for_each = zipmap(var.l, var.l)
}
resource "terraform_data" "o26" {
  for_each = tomap({})
}
resource "terraform_data" "o27" {
  for_each = local.c
}
resource "terraform_data" "o28" {
  for_each = var.n
}
resource "terraform_data" "o29" {
  for_each = {for x in var.l : x => x}
}
resource "terraform_data" "o30" {
  for_each = [for x in var.l : x]
}
resource "terraform_data" "o32" {
  for_each = "a${var.s}"
}

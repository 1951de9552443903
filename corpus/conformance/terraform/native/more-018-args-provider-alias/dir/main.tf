variable "v" {
  default = "x"
}
provider "terraform" {
  alias = "x"
  x = "s"
}
provider "terraform" {
  alias = 5
  x = "n"
}
provider "terraform" {
  alias = 1.5
  x = "f"
}
provider "terraform" {
  alias = 1
  x = "one"
}
provider "terraform" {
  alias = true
  x = "t"
}
provider "terraform" {
  alias = "true"
  x = "st"
}
provider "terraform" {
  alias = null
  x = "nul"
}
provider "terraform" {
  alias = []
  x = "ea"
}
provider "terraform" {
  alias = ["x"]
  x = "as"
}
provider "terraform" {
  alias = {}
  x = "eo"
}
provider "terraform" {
  alias = {"k" = "x"}
  x = "os"
}
provider "terraform" {
  alias = "$${x}"
  x = "tm"
}
provider "terraform" {
  alias = "$${var.v}"
  x = "tv"
}
provider "terraform" {
  alias = "a$${var.v}b"
  x = "tl"
}
provider "terraform" {
  alias = ""
  x = "es"
}
provider "terraform" {
  alias = "x"
  x = "esc"
}
provider "terraform" {
  alias = [{}]
  x = "oa"
}
provider "terraform" {
  alias = [null]
  x = "na"
}
provider "terraform" {
  alias = "$$${x}"
  x = "dd"
}
provider "terraform" {
  alias = [5, "a b"]
  x = "nn"
}
provider "terraform" {
  alias = [{}, {}]
  x = "two"
}
provider "terraform" {
  alias = [["x"]]
  x = "ns"
}
provider "terraform" {
  alias = {"a" = {}}
  x = "ob"
}
provider "terraform" {
  alias = "$${"
  x = "ut"
}

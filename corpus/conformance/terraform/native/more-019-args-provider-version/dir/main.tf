variable "v" {
  default = "x"
}
provider "terraform" {
  version = "x"
  x = "s"
  alias = "s"
}
provider "terraform" {
  version = 5
  x = "n"
  alias = "n"
}
provider "terraform" {
  version = 1.5
  x = "f"
  alias = "f"
}
provider "terraform" {
  version = 1
  x = "one"
  alias = "one"
}
provider "terraform" {
  version = true
  x = "t"
  alias = "t"
}
provider "terraform" {
  version = "true"
  x = "st"
  alias = "st"
}
provider "terraform" {
  version = null
  x = "nul"
  alias = "nul"
}
provider "terraform" {
  version = []
  x = "ea"
  alias = "ea"
}
provider "terraform" {
  version = ["x"]
  x = "as"
  alias = "as"
}
provider "terraform" {
  version = {}
  x = "eo"
  alias = "eo"
}
provider "terraform" {
  version = {"k" = "x"}
  x = "os"
  alias = "os"
}
provider "terraform" {
  version = "$${x}"
  x = "tm"
  alias = "tm"
}
provider "terraform" {
  version = "$${var.v}"
  x = "tv"
  alias = "tv"
}
provider "terraform" {
  version = "a$${var.v}b"
  x = "tl"
  alias = "tl"
}
provider "terraform" {
  version = ""
  x = "es"
  alias = "es"
}
provider "terraform" {
  version = "x"
  x = "esc"
  alias = "esc"
}
provider "terraform" {
  version = [{}]
  x = "oa"
  alias = "oa"
}
provider "terraform" {
  version = [null]
  x = "na"
  alias = "na"
}
provider "terraform" {
  version = "$$${x}"
  x = "dd"
  alias = "dd"
}
provider "terraform" {
  version = [5, "a b"]
  x = "nn"
  alias = "nn"
}
provider "terraform" {
  version = [{}, {}]
  x = "two"
  alias = "two"
}
provider "terraform" {
  version = [["x"]]
  x = "ns"
  alias = "ns"
}
provider "terraform" {
  version = {"a" = {}}
  x = "ob"
  alias = "ob"
}
provider "terraform" {
  version = "$${"
  x = "ut"
  alias = "ut"
}

terraform {
  required_providers {
    a = {source = "x"}
    b = {source = "hashicorp/aws"}
    c = {source = "a/b/c/d"}
    d = {source = "-/aws"}
    e = {source = "hashicorp/Aws"}
    f = {source = "HashiCorp/aws"}
    g = {source = ""}
    h = {source = "example.com/a/b"}
    i = {source = "exa mple.com/a/b"}
    j = {source = "a//b"}
    k = {source = "hashicorp/terraform-provider-aws"}
    l = {source = "terraform-aws"}
    m = {source = "https://x/y/z"}
    n = {source = "a_b/c"}
    o = {source = "a/b_c"}
    p = {source = "localhost:8080/a/b"}
    q = {source = "é/b"}
  }
}

list = {"a" = {"b" = {}}}
action = {"a" = {"b" = {}}}
component = {"a" = {"b" = {}}}
language = {"a" = {"b" = {}}}
required_providers = {"a" = {"b" = {}}}
ephemeral "a" "b" {
}
check "a" {
  b = {}
}
store = {"a" = {"b" = {}}}
import {
  a = {"b" = {}}
}
run = {"a" = {"b" = {}}}
mock_provider = {"a" = {"b" = {}}}
variables = {"a" = {"b" = {}}}
test = {"a" = {"b" = {}}}
deployment = {"a" = {"b" = {}}}
resources = {"a" = {"b" = {}}}
Variable = {"a" = {"b" = {}}}
provider_meta = {"a" = {"b" = {}}}
backend = {"a" = {"b" = {}}}
lifecycle = {"a" = {"b" = {}}}

"""Providers that exist only as schemas, so that `terraform validate` runs without a network.

`derive(*directories)` gives schemas, in the form of `terraform providers schema -json`, that fit what the modules below
directories use: every property of a resource is an optional attribute, or a block that `dynamic` makes somewhere. `serve(addresses, schemas)` starts one server for
each address; what each says is what `schemas` has at the time. Terraform has its environment from the start of a
process, so it must be asked in another one, which has the value that `serve` gives.
"""

import json
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../plan-file"))
from provider import fields, message

BUILT_IN = "terraform.io/builtin/terraform"
# What Terraform takes for a provider; it refuses to run with any other one.
ADDRESS = r"(?!.*/terraform-)[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(/[a-z0-9]+(-[a-z0-9]+)*){2}"
META = {
    "resource": {"count", "for_each", "provider", "depends_on", "lifecycle", "connection", "provisioner", "_", "//"},
    "data": {"count", "for_each", "provider", "depends_on", "lifecycle", "_", "//"},
    "ephemeral": {"count", "for_each", "provider", "depends_on", "lifecycle", "_", "//"},
    "provider": {"alias", "version", "for_each", "_", "//"},
    "action": {"count", "for_each", "provider", "config", "//"},
}
LISTS = {"resource": "resource_schemas", "data": "data_source_schemas", "ephemeral": "ephemeral_resource_schemas", "action": "action_schemas"}

def objects(value):
    """A body, or several in an array."""
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]


def blocks(root, kind, labels):
    """The labels and bodies of blocks of a file."""
    found = [((), body) for file in objects(root) for body in objects(file.get(kind))]
    for _ in range(labels):
        found = [((*names, name), body) for names, one in found for name, value in one.items() for body in objects(value)]
    return found


def attribute(value):
    scalar = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return {"type": "string" if scalar else "dynamic", "optional": True}


def full_name(source):
    parts = source.lower().split("/")
    return "/".join(["registry.terraform.io", "hashicorp"][: 3 - len(parts)] + parts) if len(parts) < 4 else source


def files_of(directory):
    """The parsed JSON files of each directory at or below one."""
    for path, _, names in sorted(os.walk(directory)):
        roots = []
        for name in sorted(names):
            if name.endswith(".tf.json"):
                try:
                    with open(os.path.join(path, name), encoding="utf-8") as file:
                        roots.append(json.load(file))
                except (OSError, ValueError, RecursionError):
                    pass
        yield path, roots


def derive(*directories):
    schemas = {}

    def provider(address):
        return schemas.setdefault(address, {"provider": {"block": {"attributes": {}}}})

    def use(block, value, skip):
        made = {name for each in objects(value.get("dynamic")) for name in each}
        nested = block.get("block_types", {})
        for name in made - set(nested):
            block["attributes"].pop(name, None)
            nested = block.setdefault("block_types", {})
            nested[name] = {"nesting_mode": "list", "block": {"attributes": {}}}
        for each in objects(value.get("dynamic")):
            for name, bodies in each.items():
                for one in (it for body in objects(bodies) for it in objects(body.get("content"))):
                    use(nested[name]["block"], one, {"//"})
        for name, inner in value.items():
            if name in nested:
                for body in objects(inner):
                    use(nested[name]["block"], body, {"//"})
            elif name not in skip and name != "dynamic" and name.isidentifier():
                known = block["attributes"].setdefault(name, attribute(inner))
                if known != attribute(inner) and not known.get("computed"):
                    known["type"] = "dynamic"

    for _, roots in (each for directory in directories for each in files_of(directory)):
        sources = {}
        for root in roots:
            for _, body in blocks(root, "terraform", 0):
                for entry in objects(body.get("required_providers")):
                    for name, value in entry.items():
                        source = value.get("source") if isinstance(value, dict) else None
                        sources[name] = full_name(source if isinstance(source, str) else name)
        address = lambda name: sources.get(name, BUILT_IN if name == "terraform" else full_name(name))
        for name in sources:
            provider(address(name))
        for root in roots:
            for (name,), body in blocks(root, "provider", 1):
                use(provider(address(name))["provider"]["block"], body, META["provider"])
            for kind, key in LISTS.items():
                for (resource_type, _), body in blocks(root, kind, 2):
                    given = body.get("provider")
                    local = given if isinstance(given, str) else resource_type.split("_")[0]
                    own = provider(address(local.split(".")[0].split("[")[0])).setdefault(key, {})
                    empty = {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": True, "optional": True}}}}
                    if kind == "action":
                        for config in objects(body.get("config")):
                            use(own.setdefault(resource_type, {"block": {"attributes": {}}})["block"], config, {"_", "//"})
                        own.setdefault(resource_type, {"block": {"attributes": {}}})
                    else:
                        use(own.setdefault(resource_type, empty)["block"], body, META[kind])
            for body in (it for _, it in blocks(root, "import", 0)):
                to = body.get("to")
                if isinstance(to, str) and not to.startswith("module."):
                    given = body.get("provider")
                    provider(address((given if isinstance(given, str) else to.split("_")[0]).split(".")[0]))
    schemas.pop(BUILT_IN, None)
    return {address: it for address, it in schemas.items() if re.fullmatch(ADDRESS, address)}


def printed(schemas):
    """Schemas as `terraform providers schema -json` prints them."""
    whole = lambda it: {"version": it.get("version", 0), "block": it.get("block", {})}
    all_of = {}
    for address, schema in sorted(schemas.items()):
        made = {"provider": whole(schema.get("provider", {}))}
        for key in LISTS.values():
            if key in schema:
                made[key] = {name: whole(each) for name, each in sorted(schema[key].items())}
        if "functions" in schema:
            made["functions"] = schema["functions"]
        all_of[address] = made
    return {"format_version": "1.0", "provider_schemas": all_of}


def block_message(block):
    attributes = [
        message(
            (1, name),
            (2, json.dumps(it["type"]).encode()),
            (4, it.get("required")), (5, it.get("optional")), (6, it.get("computed")), (7, it.get("sensitive")),
            (9, it.get("deprecated")), (11, it.get("write_only")),
        )
        for name, it in sorted(block.get("attributes", {}).items())
    ]
    modes = {"single": 1, "list": 2, "set": 3, "map": 4, "group": 5}
    nested = [
        message((1, name), (2, block_message(it["block"])), (3, modes[it["nesting_mode"]]), (4, it.get("min_items")), (5, it.get("max_items")))
        for name, it in sorted(block.get("block_types", {}).items())
    ]
    return message((2, attributes), (3, nested))


def schema_message(schema):
    return message((1, schema.get("version", 0)), (2, block_message(schema.get("block", {}))))


def function_message(function):
    parameter = lambda it: message((1, it.get("name", "x")), (2, json.dumps(it["type"])), (3, True), (4, True))
    variadic = function.get("variadic_parameter")
    return message(
        (1, [parameter(it) for it in function.get("parameters", [])]),
        (2, parameter(variadic) if variadic else None),
        (3, message((1, json.dumps(function["return_type"])))),
    )


def provider_schema(own):
    entries = lambda key, made: [message((1, name), (2, made(it))) for name, it in sorted(own.get(key, {}).items())]
    return message(
        (1, schema_message(own.get("provider", {}))),
        (2, entries("resource_schemas", schema_message)),
        (3, entries("data_source_schemas", schema_message)),
        (6, b""),
        (7, entries("functions", function_message)),
        (8, entries("ephemeral_resource_schemas", schema_message)),
        (11, entries("action_schemas", lambda it: message((1, schema_message(it))))),
    )


def serve(addresses, schemas):
    """Starts the servers; gives them and the value of TF_REATTACH_PROVIDERS."""
    import grpc

    class Provider(grpc.GenericRpcHandler):
        def __init__(self, address):
            self.address = address

        def service(self, details):
            name = details.method.rsplit("/", 1)[-1]
            if "Provider/" not in details.method or name == "GetMetadata":
                return None
            answer = {
                "GetProviderSchema": lambda request: provider_schema(schemas.get(self.address, {})),
                "UpgradeResourceState": lambda request: message((1, message((2, fields(request)[3])))),
                "PlanResourceChange": lambda request: message((1, fields(request)[3])),
                "ReadDataSource": lambda request: message((1, fields(request)[2])),
                "OpenEphemeralResource": lambda request: message((3, fields(request)[2])),
            }.get(name, lambda request: b"")
            return grpc.unary_unary_rpc_method_handler(lambda request, context: answer(request))

    directory, attached, servers = tempfile.mkdtemp(), {}, []
    for number, address in enumerate(sorted(addresses)):
        socket = os.path.join(directory, str(number))
        server = grpc.server(ThreadPoolExecutor(1))
        server.add_generic_rpc_handlers([Provider(address)])
        server.add_insecure_port("unix:" + socket)
        server.start()
        servers.append(server)
        at = {"Network": "unix", "String": socket}
        attached[address] = {"Protocol": "grpc", "ProtocolVersion": 6, "Pid": os.getpid(), "Test": True, "Addr": at}
    return servers, json.dumps(attached)

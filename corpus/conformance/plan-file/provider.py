"""A provider for plan files: types with every kind of attribute and block, and no infrastructure.

`serve()` starts it on a socket and gives what TF_REATTACH_PROVIDERS needs. Messages of the plugin protocol, version 6,
are written and read by their field numbers: fields below are named beside the numbers.
"""

import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor

import grpc
import msgpack

ADDRESS = "registry.terraform.io/test/stub"
# What has changed of resources whose name starts with "drift", as JSON.
DRIFT = ""
UNKNOWN = msgpack.ExtType(0, b"\0")


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def message(*fields):
    """Bytes of a message from (number, value): numbers, texts, bytes, messages; lists repeat."""
    out = b""
    for number, value in fields:
        for each in value if isinstance(value, list) else [value]:
            if each is None or each is False:
                continue
            if isinstance(each, int):
                out += varint(number << 3) + varint(int(each))
            else:
                each = each.encode() if isinstance(each, str) else each
                out += varint(number << 3 | 2) + varint(len(each)) + each
    return out


def fields(data):
    """The last value of each field, by number."""
    at, found = 0, {}

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 2:
            size = number()
            found[key >> 3] = data[at : at + size]
            at += size
        else:
            found[key >> 3] = number()
    return found


LIST, SET, MAP, SINGLE = 2, 3, 4, 1


def attribute(name, ty, flags="o"):
    """A Schema.Attribute. Flags: required, optional, computed, sensitive."""
    kind = (10, ty) if isinstance(ty, bytes) else (2, json.dumps(ty))
    return message((1, name), kind, (4, "r" in flags), (5, "o" in flags), (6, "c" in flags), (7, "s" in flags))


def nested(nesting, *attributes):
    return message((1, list(attributes)), (3, nesting))


def block(*parts, attributes=()):
    return message((2, list(attributes)), (3, list(parts)))


def block_type(name, nesting, *parts, attributes=()):
    return message((1, name), (2, block(*parts, attributes=attributes)), (3, nesting))


def schema(version, body):
    return message((1, version), (2, body))


ACCOUNT = [attribute("user", "string"), attribute("password", "string", "os"), attribute("n", "number")]
THING = block(
    block_type(
        "rule",
        LIST,
        block_type("target", SET, attributes=[attribute("host", "string"), attribute("weight", "number")]),
        attributes=[attribute("port", "number"), attribute("secret", "string", "os"), attribute("note", "string")],
    ),
    block_type("setting", SET, attributes=[attribute("key", "string", "r"), attribute("value", "string")]),
    block_type("hidden", SET, attributes=[attribute("key", "string"), attribute("token", "string", "os")]),
    block_type("limits", SINGLE, attributes=[attribute("cpu", "number"), attribute("memory", "number")]),
    block_type("free", LIST, attributes=[attribute("value", "dynamic")]),
    attributes=[
        attribute("id", "string", "c"),
        attribute("name", "string"),
        attribute("size", "number"),
        attribute("ratio", "number"),
        attribute("flag", "bool"),
        attribute("tags", ["map", "string"]),
        attribute("labels", ["set", "string"]),
        attribute("numbers", ["list", "number"]),
        attribute("number_set", ["set", "number"]),
        attribute("number_map", ["map", "number"]),
        attribute("matrix", ["list", ["list", "number"]]),
        attribute("secret", "string", "os"),
        attribute("secret_map", ["map", "string"], "os"),
        attribute("force", "string"),
        attribute("force_list", ["list", "string"]),
        attribute("any", "dynamic"),
        attribute("shape", ["object", {"a": "string", "b": "number", "c": ["list", ["object", {"d": "bool"}]]}]),
        attribute("shapes", ["set", ["object", {"k": "string", "v": "number"}]]),
        attribute("pair", ["tuple", ["string", "number"]]),
        attribute("made", "number", "c"),
        attribute("made_list", ["list", "string"], "c"),
        attribute("made_map", ["map", "string"], "c"),
        attribute("made_secret", "string", "cs"),
        attribute("account", nested(SINGLE, *ACCOUNT)),
        attribute("accounts", nested(LIST, *ACCOUNT)),
        attribute("accounts_map", nested(MAP, *ACCOUNT)),
        attribute("accounts_set", nested(SET, attribute("user", "string"), attribute("n", "number"))),
        attribute("accounts_hidden", nested(SET, *ACCOUNT)),
    ],
)
PLAIN = block(attributes=[attribute("id", "string", "c"), attribute("name", "string"), attribute("force", "string")])
LOOKUP = block(
    attributes=[
        attribute("query", "string"),
        attribute("result", "number", "c"),
        attribute("token", "string", "cs"),
        attribute("list", ["list", "string"], "c"),
    ]
)
SCHEMAS = {"stub_thing": schema(3, THING), "stub_plain": schema(0, PLAIN), "stub_named": schema(1, PLAIN)}
IDENTITY = message(
    (1, 2),
    (2, [message((1, "account"), (2, '"number"'), (3, True)), message((1, "key"), (2, '"string"'), (4, True))]),
)


def unpack(dynamic):
    parts = fields(dynamic or b"")
    if 2 in parts:
        return json.loads(parts[2])
    return msgpack.unpackb(parts.get(1, b"\xc0"), raw=False, strict_map_key=False)


def pack(value):
    return message((1, msgpack.packb(value, use_bin_type=True)))


def identity(value):
    """The identity of a value; none before its id is known, since Terraform cannot print an unknown identity."""
    known = value and not isinstance(value.get("id"), msgpack.ExtType)
    return pack({"account": 12345678901234567, "key": value["id"]}) if known else None


COMPUTED = {
    "id": lambda it: "id-" + str(it.get("name")),
    "made": lambda it: "12345678901234567890123.5",
    "made_list": lambda it: ["a", "b"],
    "made_map": lambda it: {"a": "1"},
    "made_secret": lambda it: "made-secret-value",
}
ANSWERS = {"result": lambda it: "0.1", "token": lambda it: "looked-up-token", "list": lambda it: ["x", it.get("query")]}


def plan(request):
    name = request[1].decode()
    prior, proposed = unpack(request.get(2)), unpack(request.get(3))
    if proposed is None:
        return message((1, pack(None)))
    replaces = []
    if prior is None:
        for each in COMPUTED:
            if each in proposed and proposed[each] is None:
                proposed[each] = UNKNOWN
    else:
        for each in ("force", "force_list"):
            if each in proposed and proposed[each] != prior.get(each):
                replaces.append(message((1, message((1, each)))))
        if "made" in proposed and proposed["name"] != prior["name"]:
            proposed["made"] = UNKNOWN
        if replaces:
            for each in COMPUTED:
                if each in proposed:
                    proposed[each] = UNKNOWN
    owner = identity(proposed) if name == "stub_named" else None
    return message((1, pack(proposed)), (2, replaces), (7, message((1, owner)) if owner else None))


def apply(request):
    name = request[1].decode()
    planned = unpack(request.get(3))
    if planned is None:
        prior = unpack(request.get(2))
        if prior.get("force") == "stuck":
            return message((1, pack(prior)), (3, message((1, 1), (2, "It is stuck"))))
        return message((1, pack(None)))
    for each, make in COMPUTED.items():
        if each in planned and isinstance(planned[each], msgpack.ExtType):
            planned[each] = make(planned)
    owner = identity(planned) if name == "stub_named" else None
    return message((1, pack(planned)), (5, message((1, owner)) if owner else None))


def read(request):
    name = request[1].decode()
    state = unpack(request.get(2))
    if state and DRIFT:
        if state.get("name") == "gone":
            state = None
        elif str(state.get("name")).startswith("drift"):
            state = {**state, **{key: value for key, value in json.loads(DRIFT).items() if key in state}}
    owner = request.get(6) or (message((1, identity(state))) if name == "stub_named" and state else None)
    return message((1, pack(state)), (5, owner))


def data(request):
    found = unpack(request.get(2))
    return message((1, pack({**found, **{key: make(found) for key, make in ANSWERS.items()}})))


def imported(request):
    name, key = request[1].decode(), request.get(2, b"").decode()
    if 4 in request:
        key = unpack(fields(request[4]).get(1))["key"]
    empty = {"id": key, "name": key.removeprefix("id-"), "force": None}
    owner = message((1, identity(empty))) if name == "stub_named" else None
    return message((1, message((1, name), (2, pack(empty)), (4, owner))))


METHODS = {
    "GetMetadata": None,
    "GetProviderSchema": lambda request: message(
        (1, schema(0, block(attributes=[attribute("endpoint", "string"), attribute("token", "string", "os")]))),
        (2, [message((1, name), (2, each)) for name, each in SCHEMAS.items()]),
        (3, [message((1, "stub_lookup"), (2, schema(1, LOOKUP)))]),
        (6, b""),
    ),
    "ValidateProviderConfig": lambda request: b"",
    "ValidateResourceConfig": lambda request: b"",
    "ValidateDataResourceConfig": lambda request: b"",
    "UpgradeResourceState": lambda request: message((1, message((2, fields(request[3])[1])))),
    "GetResourceIdentitySchemas": lambda request: message((1, message((1, "stub_named"), (2, IDENTITY)))),
    "UpgradeResourceIdentity": lambda request: message(
        (1, message((1, message((2, fields(request[3])[1])))))
    ),
    "ConfigureProvider": lambda request: b"",
    "ReadResource": read,
    "PlanResourceChange": plan,
    "ApplyResourceChange": apply,
    "ImportResourceState": imported,
    "ReadDataSource": data,
    "StopProvider": lambda request: b"",
}


class Provider(grpc.GenericRpcHandler):
    def service(self, details):
        work = METHODS.get(details.method.rsplit("/", 1)[-1])
        if work is None or "Provider/" not in details.method:
            return None
        return grpc.unary_unary_rpc_method_handler(lambda request, context: work(fields(request)))


def serve():
    """Starts the provider; gives the value of TF_REATTACH_PROVIDERS."""
    socket = os.path.join(tempfile.mkdtemp(), "provider")
    server = grpc.server(ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers([Provider()])
    server.add_insecure_port("unix:" + socket)
    server.start()
    address = {"Network": "unix", "String": socket}
    config = {"Protocol": "grpc", "ProtocolVersion": 6, "Pid": os.getpid(), "Test": True, "Addr": address}
    return server, json.dumps({ADDRESS: config})

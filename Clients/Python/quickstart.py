import json, subprocess, sys

daybook = subprocess.Popen(sys.argv[1:] or ["daybook", "--no-handshake"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

def call(method, **params):
    print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), file=daybook.stdin, flush=True)
    return next(message for message in map(json.loads, daybook.stdout) if message.get("id") == 1)

print(call("meals/add", name="Porridge", calories=350)["result"]["meal"]["id"])
print(call("days/get")["result"]["status"]["text"])

"""Has Holdfast investigate, over HTTP: starts a session, follows it, answers approvals, prints the report.

    python investigate.py TASK KEY TOOL

KEY names the investigation: a repeat of the program continues it, and starts no other. Calls of TOOL are approved, all
others are denied. Needs only the standard library. TOKEN may read and start, APPROVER may answer.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

GATEWAY = os.environ.get("GATEWAY", "http://127.0.0.1:7080")


def send(path, body=None, token="TOKEN", **headers):
    """The open answer; an HTTPError has a problem document as its body."""
    if os.environ.get(token):
        headers["Authorization"] = f"Bearer {os.environ[token]}"
    data = None if body is None else json.dumps(body).encode()
    if data is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(GATEWAY + path, data, headers)
    # longer than the time between two comments of a stream
    return urllib.request.urlopen(request, timeout=60)


def events(stream):
    """Pairs of type and data of one connection, in order; the id of each that was handled is in `seen`."""
    fields = {}
    for line in stream:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = value
        elif fields:
            if "event" in fields:
                yield fields["event"], json.loads(fields["data"]), fields.get("id")
            fields = {}


def follow(path, handle):
    """Calls `handle` once for each event, over lost connections and restarts of the gateway, until the session ends."""
    last = "0"
    while True:
        try:
            with send(f"{path}/events", **{"Last-Event-ID": last}) as stream:
                for kind, data, seq in events(stream):
                    handle(kind, data)
                    last = seq or last
                    if kind == "closed":
                        return
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise
            print(f"refused for now ({error.code}); resuming after event {last}", file=sys.stderr)
        except (OSError, http.client.HTTPException) as error:
            print(f"connection lost ({error}); resuming after event {last}", file=sys.stderr)
        time.sleep(1)


def investigate(task, key, tool):
    start = {"prompt": task, "budget": {"costUsd": 2}}
    with send("/v1/sessions", start, **{"Idempotency-Key": key}) as answer:
        session = json.load(answer)["sessionId"]
    path = "/v1/sessions/" + urllib.parse.quote(session, safe="")
    print(f"session {session}")

    def handle(kind, data):
        if kind == "message_end" and data["role"] == "assistant" and data.get("text"):
            print(data["text"])
        if kind == "approval_requested":
            verb = "approve" if data["tool"] == tool else "deny"
            answer = {"question": data["question"], "argsDigest": data["argsDigest"]}
            try:
                send(f"{path}/{verb}", answer, token="APPROVER").close()
            except urllib.error.HTTPError as error:
                # 409: it was answered before the connection was lost, or by somebody else
                if error.code != 409:
                    raise
            print(f"{verb} {data['summary']}")

    follow(path, handle)
    with send(f"{path}/result") as answer:
        print(f"status {json.load(answer)['status']}")
    with send(f"{path}/report?format=md") as answer:
        print(answer.read().decode())


try:
    investigate(*sys.argv[1:])
except urllib.error.HTTPError as problem:
    sys.exit(f"refused: {problem.read().decode()}")

"""Receives messages of Holdfast: checks their signature, and takes each one once.

    SECRET=... PORT=8088 python receiver.py
"""

import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["SECRET"].encode()


def is_genuine(header: str, body: bytes) -> bool:
    """Over seconds and body; older than five minutes it may be a copy that somebody sends again."""
    found = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", header)
    if not found or abs(time.time() - int(found[1])) >= 300:
        return False
    expected = hmac.new(SECRET, found[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, found[2])


# a receiver that restarts keeps the ids in its database
taken: set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if not is_genuine(self.headers["holdfast-signature"] or "", body):
            self.send_error(401, "wrong signature")
            return
        message = json.loads(body)
        if message["id"] not in taken:
            print(f"{message['point']} of {message['session']['id']}", flush=True)
        taken.add(message["id"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8088"))), Receiver)
print(f"listening on port {server.server_port}", flush=True)
server.serve_forever()

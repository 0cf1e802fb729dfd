#!/bin/sh
# sh investigate.sh start.json KEY TOOL: starts a session, follows it over lost connections, answers approvals, prints
# the report. A repeat with the same KEY continues.
set -eu
GATEWAY=${GATEWAY:-http://127.0.0.1:7080}
input=$1 key=$2 allowed=$3
seen=$(mktemp)
trap 'rm -f "$seen"' EXIT

ask() {
  token=$1
  shift
  curl -sS --fail-with-body -H "Authorization: Bearer $token" "$@"
}
post() { ask "$1" -H 'Content-Type: application/json' -H "Idempotency-Key: $key" --data-binary "$3" "$GATEWAY$2"; }
field() { printf '%s\n' "$2" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

started=$(post "$TOKEN" /v1/sessions "@$input") || { echo "$started" >&2; exit 1; }
path=/v1/sessions/$(field sessionId "$started")
echo "session $(field sessionId "$started")"

handle() {
  case $1 in
    approval_requested)
      verb=deny
      if [ "$(field tool "$2")" = "$allowed" ]; then verb=approve; fi
      answered=$(post "$APPROVER" "$path/$verb" \
        "{\"question\": \"$(field question "$2")\", \"argsDigest\": \"$(field argsDigest "$2")\"}") ||
        # 409: it was answered before. After anything else the event comes again, on the next connection
        case $answered in *'"status":409'*) ;; *) echo "$verb: $answered" >&2 && return 1 ;; esac
      echo "$verb $(field summary "$2")"
      ;;
    agent_end) echo "ended: $(field status "$2")" ;;
  esac
}

follow() {
  while IFS= read -r line; do
    case $line in
      'event: '*) event=${line#event: } ;;
      'data: '*) handle "$event" "${line#data: }" || return 0 ;;
      'id: '*) echo "${line#id: }" >"$seen" ;;
    esac
    if [ "$line" = 'event: closed' ]; then echo closed >"$seen"; fi
  done
}

echo 0 >"$seen"
until [ "$(cat "$seen")" = closed ]; do
  # -N: each event as it comes. Where the connection ends, the loop resumes after the last event
  ask "$TOKEN" -N -H "Last-Event-ID: $(cat "$seen")" "$GATEWAY$path/events" | follow
  [ "$(cat "$seen")" = closed ] || sleep 1
done
ask "$TOKEN" "$GATEWAY$path/report?format=md"

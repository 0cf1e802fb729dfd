// A Temporal server that is away, in a worker's log: the SDK reports each attempt of each poller, many a second, with a
// dump of its own types. One line says it, and again while it lasts. Pure.
import type { LogLine } from './log-line.ts';

const repeatedCall = /^gRPC call (\w+) retried (\d+) times$/;
const everyMs = 30_000;

/** For the lines of one worker, in their order. Undefined for a line that says nothing new. */
export function createOutageLines(): (line: LogLine) => LogLine | undefined {
  const saidAt = new Map<string, number>();
  return (line) => {
    const [, request, attempts] = repeatedCall.exec(line.message) ?? [];
    if (request === undefined) return line;
    const reason = reasonOf(String(line.fields['error']));
    if (line.at - (saidAt.get(reason) ?? -Infinity) < everyMs) return undefined;
    saidAt.set(reason, line.at);
    const message = 'the Temporal server does not answer as it should; the worker keeps asking';
    return { ...line, message, fields: { reason, request, attempts: Number(attempts) } };
  };
}

/** Of `Status { code: Unavailable, message: "tcp connect error", ... 127.0.0.1:7233, ... message: "Connection refused" }`. */
function reasonOf(status: string): string {
  const words = [...status.matchAll(/message: "([^"]+)"/g)].map(([, word]) => word);
  const place = /\b[\w.-]+:\d+(?=, Os)/.exec(status)?.[0];
  return [...new Set([words.at(0), words.at(-1)]), place].filter(Boolean).join(': ') || 'unknown';
}

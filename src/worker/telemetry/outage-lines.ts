// Reports a Temporal server that is away in one line, repeated while the outage lasts. The SDK reports each attempt of
// each poller, many a second, in its debug format. Pure.
import type { LogLine } from './log-line.ts';

const repeatedCall = /^gRPC call (\w+) retried (\d+) times$/;
const everyMs = 30_000;

/** For the lines of one worker, in order. The function returns undefined for a line without news. */
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

/** Parses `Status { code: Unavailable, message: "tcp connect error", ... 127.0.0.1:7233, ... message: "refused" }`. */
function reasonOf(status: string): string {
  const words = [...status.matchAll(/message: "([^"]+)"/g)].map(([, word]) => word);
  const place = /\b[\w.-]+:\d+(?=, Os)/.exec(status)?.[0];
  return [...new Set([words.at(0), words.at(-1)]), place].filter(Boolean).join(': ') || 'unknown';
}

// The reason why a model's HTTP request had no answer, in words that it can act on. Pure.

/** A refusal by a tool; any other error is a failure of the network. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
}

export function describeFailure(error: unknown, deadline: AbortSignal, timeoutMs: number): string {
  if (error instanceof HttpRefusal) return error.message;
  if (deadline.aborted) return `No reply within ${timeoutMs} ms.`;
  const message = error instanceof Error ? error.message : '';
  if (message.includes('is not allowed. Because')) {
    return (
      'Refused: the host resolves to a loopback, private or reserved address. It is reached only where the ' +
      'operator names the address, or a range such as 10.0.0.0/8, in http.allow.'
    );
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `The host could not be reached: ${reasons[code] ?? (code || 'the connection failed')}.`;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused (nothing listens there)',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the name is not known to DNS',
  EAI_AGAIN: 'DNS did not answer',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  HPE_HEADER_OVERFLOW: 'the headers of the reply are larger than 32 KiB',
};

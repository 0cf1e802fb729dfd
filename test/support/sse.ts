// Events as server-sent events, in each vendor's dialect, and ways to cut the bytes.
export type Wire = 'openai-chat' | 'openai-responses' | 'anthropic';
export type WireEvent = Record<string, unknown>;

/** A whole stream: every event, and the closing line where the dialect has one. */
export function toSse(wire: Wire, events: readonly WireEvent[]): string {
  const frames = events.map((event) => toFrame(wire, event)).join('');
  return wire === 'openai-chat' ? `${frames}data: [DONE]\n\n` : frames;
}

export function toFrame(wire: Wire, event: WireEvent): string {
  const data = `data: ${JSON.stringify(event)}\n\n`;
  return wire === 'openai-chat' ? data : `event: ${String(event['type'])}\n${data}`;
}

export function everyByte(text: string): Uint8Array[] {
  return cutEvery(text, () => 1);
}

/** Cut at the sizes that `nextSize` gives; also in the middle of a character. */
export function cutEvery(text: string, nextSize: () => number): Uint8Array[] {
  const bytes = Buffer.from(text, 'utf8');
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const size = Math.max(1, nextSize());
    parts.push(bytes.subarray(start, start + size));
    start += size;
  }
  return parts;
}

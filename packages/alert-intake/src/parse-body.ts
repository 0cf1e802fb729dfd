// A request's bytes as JSON that can be walked safely; a message about a body never has more of it than a position. Pure.
import { isTooDeep, type Json, maxJsonDepth } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';

export type ParsedBody = { ok: true; body: Json } | { ok: false; reason: string };

export function parseBody(bytes: Uint8Array): ParsedBody {
  if (bytes.length === 0) return { ok: false, reason: 'The body is empty: expected JSON.' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const outer = parse(text);
    // some versions of Uptime Kuma send a text that is JSON: https://github.com/louislam/uptime-kuma/issues/7211
    const body = typeof outer === 'string' ? parse(outer) : outer;
    if (!isTooDeep(body)) return { ok: true, body };
    return { ok: false, reason: `The body has more levels than expected: at most ${maxJsonDepth}.` };
  } catch (error) {
    // the message of the parser quotes the text
    const [, position] = /at position (\d+)/.exec(messageOf(error)) ?? [];
    const place = position === undefined ? '' : ` from position ${position} on`;
    return { ok: false, reason: `The body is no JSON in UTF-8${place}: expected one whole value.` };
  }
}

/** Undefined for a text that is no JSON, or too deep. */
export function jsonOf(text: string): { value: Json } | undefined {
  const parsed = parseBody(new TextEncoder().encode(text));
  return parsed.ok ? { value: parsed.body } : undefined;
}

/** A whole number that JavaScript would round is an id: it stays the text that it was. */
function parse(text: string): Json {
  const keepLong = (_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
  const read = (json: string): Json => JSON.parse(json, keepLong);
  try {
    return read(text);
  } catch (error) {
    // a form, as StatusCake and Datadog send one
    if (/^[\w.%+-]+=/.test(text)) return Object.fromEntries(new URLSearchParams(text));
    const escaped = withEscapes(text);
    if (escaped === text) throw error;
    return read(escaped);
  }
}

/** A template that puts an output into JSON leaves its line ends and backslashes as they are. */
function withEscapes(text: string): string {
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, (quoted) =>
    quoted
      .replaceAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})?/g, (sign) => (sign === '\\' ? '\\\\' : sign))
      .replaceAll(/\p{Cc}/gu, (sign) => JSON.stringify(sign).slice(1, -1)),
  );
}

/** The value at a JSON pointer (RFC 6901); undefined for none. Sees own properties only. A text on the way may be JSON itself. */
export function valueAtPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((place, name): unknown => {
      const at = typeof place === 'string' ? jsonOf(place)?.value : place;
      const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof at !== 'object' || at === null || (Array.isArray(at) && !/^\d+$/.test(key)))
        return undefined;
      return Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
    }, value);
}

/** The value at the first pointer that has one. */
export function firstAt(value: unknown, pointers: string | readonly string[] | undefined): unknown {
  const found = [pointers ?? []].flat().map((pointer) => valueAtPointer(value, pointer));
  return found.find((one) => one !== undefined && one !== null && one !== '') ?? found[0];
}

// Takes texts out of an answer before it is cut: in JSON, out of its strings, which may be written with escapes. Pure.
import { isRecord, parseJson } from '@holdfast/base/json';

/** The answer as JSON in one line where it is JSON; the same for each line of it. */
export function cleanAnswer(text: string, clean: (text: string) => string): string {
  const whole = cleanJson(text, clean);
  if (whole !== undefined) return whole;
  return text
    .split('\n')
    .map((line) => cleanJson(line, clean) ?? clean(line))
    .join('\n');
}

/**
 * As one text, because the name of a field tells what its value is. Where that leaves no JSON, each text of it alone.
 */
export function redactedAnswer(text: string, redact: (text: string) => string): string {
  const whole = redact(text);
  const wasJson = whole !== text && /^\s*[[{]/.test(text) && parseJson(text) !== undefined;
  return wasJson && parseJson(whole) === undefined ? cleanAnswer(text, redact) : whole;
}

function cleanJson(text: string, clean: (text: string) => string): string | undefined {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return value === undefined
    ? undefined
    : JSON.stringify(value, (_, each: unknown) => cleanValue(each, clean));
}

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), each]));
}

/** A copy whose texts are clean, of anything that is plain JSON. */
export function cleanTexts<Value>(value: Value, clean: (text: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) => cleanValue(each, clean)) as Value;
}

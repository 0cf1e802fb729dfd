// Takes secrets out of what a model has handed in: it may repeat one that a person gave it; outputs are redacted before it
// sees them. Runs in Node, pure.

/** A copy of plain JSON with every text redacted. */
export function redactTexts<Plain>(plain: Plain, redact: (text: string) => string): Plain {
  const reviver = (_key: string, value: unknown) => (typeof value === 'string' ? redact(value) : value);
  return JSON.parse(JSON.stringify(plain), reviver);
}

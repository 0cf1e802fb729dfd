// The spellings of a known secret value: encodings with one result each. Encodings that can be broken up anywhere (lines
// of base64, escapes, spaced hex) are decoded in the text instead, in known-secrets.ts.

/** Shorter values are words; removing them would spoil the evidence. */
export const shortestSecret = 6;

export type KnownForms = { text: readonly string[]; base64: readonly string[]; hex: readonly string[] };

export function knownForms(secrets: readonly string[]): KnownForms {
  const values = secrets
    .flatMap((secret) => [secret.trim(), ...linesOf(secret)])
    .filter((secret) => secret.length >= shortestSecret);
  return {
    text: values.flatMap((value) => [value, ...urlForms(value), ...escapedForms(value)]),
    base64: values.flatMap(base64Forms),
    hex: values.flatMap(hexForms),
  };
}

/** A shorter line of a longer value may be a word. */
const shortestLine = 20;

/** The lines of a value such as a key, because search tools show them one by one. Its frame is no secret. */
function linesOf(secret: string): string[] {
  const lines = secret.trim().split(/\r?\n/);
  if (lines.length === 1) return [];
  return lines
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine && !line.startsWith('-----'));
}

function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const lower = encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const strict = encoded.replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  // as forms and Java write it: blanks as +, everything but letters, digits and *-._ escaped
  const form = strict.replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E');
  // as in a path or query where only the necessary characters are escaped
  const lenient = encodeURI(secret.toWellFormed());
  return [encoded, lower, strict, encoded.replaceAll('%20', '+'), form, lenient];
}

function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const xml = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  // Go escapes these three in JSON, PHP the slash; a JSON text inside JSON is escaped twice
  const goJson = json.replaceAll(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
  const slashed = json.replaceAll('/', String.raw`\/`);
  const twice = JSON.stringify(json).slice(1, -1);
  const apostrophes = ['&apos;', '&#39;', '&#x27;'].map((entity) => xml.replaceAll("'", entity));
  return [json, goJson, slashed, twice, xml, ...apostrophes];
}

function hexForms(secret: string): string[] {
  const hex = Buffer.from(secret, 'utf8').toString('hex');
  return [hex, hex.toUpperCase()];
}

/** Characters of the shortest secret in base64, at any offset. */
const shortestBase64 = 7;

/** In UTF-8, and in UTF-16 as PowerShell encodes a command. */
function base64Forms(secret: string): string[] {
  const utf16 = Buffer.from(secret, 'utf16le');
  return [Buffer.from(secret, 'utf8'), utf16, Buffer.from(utf16).swap16()].flatMap(base64Of);
}

// Inside longer data (`user:secret` of Basic authentication) a value starts at one of three places of a base64 group.
// Characters that share bits with the neighbours are dropped.
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const whole = before === 0 ? 0 : before + 1;
    const end = (bytes.length + before) % 3 === 0 ? encoded.length : encoded.length - 1;
    const certain = encoded.slice(whole, end);
    return certain.length < shortestBase64
      ? []
      : [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

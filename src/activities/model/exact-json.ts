// Whether a JSON text says one thing only: JSON.parse takes the last of two equal fields and rounds numbers, so that
// what runs would differ from what the model wrote. Runs in Node, pure, linear.

/** More digits than any number has that survives. */
const maxNumberLength = 100;

/** What JSON.parse would change, in words; undefined where it changes nothing. The text must be valid JSON. */
export function findInexactness(text: string): string | undefined {
  const fields: (Set<string> | undefined)[] = []; // of the objects that are open; arrays have none
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    const token = character === '"' ? stringAt(text, at) : (matchAt(number, text, at) ?? character);
    at += token.length;
    if (character === '{') fields.push(new Set());
    else if (character === '[') fields.push(undefined);
    else if (character === '}' || character === ']') fields.pop();
    else if (character === '"' && matchAt(colon, text, at) !== undefined) {
      const name: unknown = JSON.parse(token);
      if (fields.at(-1)?.has(String(name)))
        return `the field ${token} is there more than once. Send it once.`;
      fields.at(-1)?.add(String(name));
    } else if (/[-\d]/.test(character) && !isExact(token)) {
      return 'a number in the arguments has more digits than can be kept. Send it rounded, or as text where that is allowed.';
    }
  }
  return undefined;
}

const number = /-?\d[\d.eE+-]*/y;
const colon = /\s*:/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function stringAt(text: string, start: number): string {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return text.slice(start, end + 1);
}

/** Written differently is no difference: 1.50, 15e-1. */
function isExact(literal: string): boolean {
  return literal.length <= maxNumberLength && digitsOf(literal) === digitsOf(String(Number(literal)));
}

function digitsOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === ''
    ? '0'
    : `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

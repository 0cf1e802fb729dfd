// HTML from templates whose values are escaped, so that no text can become markup. Pure.

/** Markup that is finished: a template puts it in as it is, and everything else escaped. */
export type Html = { html: string };

type Value = Html | string | number | undefined | readonly Value[];

/** A template of markup. Texts are escaped for elements and for attributes in quotes; undefined is nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: parts.map((part, index) => part + toMarkup(values[index])).join('') };
}

/** For texts that are no HTML themselves, e.g. a style sheet of our own. */
export function markup(text: string): Html {
  return { html: text };
}

function toMarkup(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map(toMarkup).join('');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return showHidden(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

// Control characters, marks that turn the direction of text, blanks without width, and tags that no font shows.
const hidden =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g;

/** Such as `⟨U+202E⟩` in place of a mark that would show the text in another order than it has. */
function showHidden(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

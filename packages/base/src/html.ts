// HTML from templates whose values are escaped, so that no text can become markup. Pure.
import { toReadable } from './visible.ts';

/** Finished markup: a template inserts it unchanged, and escapes everything else. */
export type Html = { html: string };

type Value = Html | string | number | undefined | false | readonly Value[];

/**
 * Builds markup from a template. Values are escaped for elements and for attributes in quotes; undefined and false become
 * nothing.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: parts.map((part, index) => part + toMarkup(values[index])).join('') };
}

/** Marks a text as finished markup, e.g. our own style sheet. */
export function markup(text: string): Html {
  return { html: text };
}

function toMarkup(value: Value): string {
  if (value === undefined || value === false) return '';
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
  return toReadable(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

// Small pieces of the page that several sections use. Pure.
import { type Html, html } from '@holdfast/base/html';
import type { Tone } from '../document.ts';

export function pill(tone: Tone, words: string): Html {
  return html`<span class="pill ${tone}">${words}</span>`;
}

export type Pair = [name: string, value: string | Html | undefined];

/** Leaves out rows without a value. */
export function facts(rows: readonly Pair[]): Html {
  const known = rows.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl class="facts">
    ${known.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

export function bullets(items: readonly Html[]): Html {
  return html`<ul class="plain">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

export function command(words: string): Html {
  return html`<code class="command">${words}</code>`;
}

/** Links only addresses of web pages; `words` are shown for the address. */
export function link(address: string, words = address): Html {
  return /^https?:\/\//i.test(address)
    ? html`<a href="${address}" rel="noreferrer">${words}</a>`
    : html`${address}`;
}

/** Text of a model or a person, with its line breaks. */
export function paragraph(words: string): Html {
  return html`<p class="text">${words}</p>`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Such as `22 Nov 03:49:11 UTC`, with the full time as a tooltip; a text that is no ISO time in UTC stays unchanged. */
export function moment(at: string, withYear = false): Html {
  const [, year = '', month = '', day = '', clock = ''] =
    /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/.exec(at) ?? [];
  const name = months[Number(month) - 1];
  if (name === undefined) return html`<span class="when">${at}</span>`;
  return html`<time datetime="${at}" title="${at}"
    >${Number(day)} ${name}${withYear ? ` ${year}` : ''} ${clock} UTC</time
  >`;
}

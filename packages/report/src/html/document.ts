// The sections of a report's document on its page. Pure.
import { type Html, html } from '@holdfast/base/html';
import { present } from '@holdfast/base/present';
import type { Body, Item, NamedWords, Section, Timed, Value, Words } from '../document.ts';
import { describeMark } from '../last-words.ts';
import type { Report } from '../report.ts';
import { renderClaim, renderQuotes } from './evidence.ts';
import { facts, bullets, moment, pill, paragraph } from './parts.ts';

export function renderSection(report: Report, { id, title, body }: Section): Html {
  return html`<section id="${id}">
    <h2>${title}</h2>
    ${renderBody(report, body)}
  </section>`;
}

function renderBody(report: Report, body: Body): Html {
  switch (body.kind) {
    case 'rows':
      return renderRows(body.items);
    case 'cause': {
      const { component, kind, text: words } = body.cause;
      return html`${paragraph(words)}${facts([
        ['Component', component],
        ['Kind', kind],
      ])}`;
    }
    case 'list':
      return bullets(body.items.map((item) => renderItem(report, item, body.isNumbered ? 'words' : 'text')));
    case 'times':
      return renderTimes(report, body);
    case 'parts':
      return html`<p class="dim">The run ended before its work was done. This was collected by Holdfast.</p>
        ${body.items.map(
          ([title, lines]) =>
            html`<h3>${title}</h3>
              ${bullets(lines.map(renderLine))}<br />`,
        )}`;
    case 'quotes':
      return bullets(body.items.map((quote) => html`${renderQuotes(report, [quote])}`));
    case 'claims':
      return html`<p class="small dim">
          The most important first. Every quote was looked for in the stored output of its call; “found” says
          that it is there, not that it proves the claim. Open a quote to see the lines around it.
        </p>
        <ol class="plain">
          ${body.items.map((claim, index) => renderClaim(report, claim, index))}
        </ol>`;
    case 'answer':
      return renderAnswer(body);
  }
}

function renderAnswer({ words, marks, note }: Body & { kind: 'answer' }): Html {
  const boxes = marks.map((mark) => html`<span class="box warn small">${describeMark(mark)}</span>`);
  return html`${note && html`<p class="box warn small">${note}</p>`}${boxes.length > 0 && bullets(boxes)}${paragraph(words)}`;
}

function renderItem(report: Report, item: Item, look: 'words' | 'text' = 'text'): Html {
  const { words, outcome, by, result, callId, notes = [], rows = [], quotes = [], items = [] } = item;
  const call = callId && html` <span class="small dim">· call <code>${callId}</code></span>`;
  const why = outcome?.why === undefined ? undefined : html`<span class="result">${outcome.why}</span>`;
  const below = present([by, result, ...notes]);
  return html`<div class="${look}">${renderLine(words)} ${outcome && renderValue(outcome)}${call}</div>
    ${why}${below.map((line) => html`<span class="result">${renderLine(line)}</span>`)}
    ${rows.length > 0 && renderRows(rows)}${renderQuotes(report, quotes)}
    ${items.length > 0 && bullets(items.map((each) => renderItem(report, each)))}`;
}

/** Items shown at once; the rest opens on demand. */
const shownItems = 25;

function renderTimes(report: Report, { items, introduction, leftOut }: Body & { kind: 'times' }): Html {
  const more = items.slice(shownItems);
  return html`${introduction && paragraph(introduction)}${column(report, items.slice(0, shownItems))}${
    more.length > 0 &&
    html`<details>
      <summary><span class="line">${more.length} more</span></summary>
      <div class="inside">${column(report, more)}</div>
    </details>`
  }${leftOut && paragraph(`${leftOut.what} from the middle left out: the log has them.`)}`;
}

function column(report: Report, items: readonly Timed[]): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<ol class="times">
    ${items.map(
      (item) =>
        html`<li>
          ${moment(item.at.time)}
          <div>${renderItem(report, item)}</div>
        </li>`,
    )}
  </ol>`;
}

function renderRows(rows: readonly NamedWords[]): Html {
  return facts(rows.map(([name, value]) => [name, renderLine(value)]));
}

export function renderLine({ parts, values }: Words): Html {
  return html`${parts.map((part, index) => [part, renderValue(values[index] ?? '')])}`;
}

function renderValue(value: Value): Html | string {
  if (typeof value === 'string') return value;
  if ('code' in value) return html`<code>${value.code}</code>`;
  if ('span' in value) return html`<time datetime="${value.until}">${value.span}</time>`;
  if ('time' in value) return moment(value.time);
  if ('state' in value) return pill(value.tone, value.state.replaceAll('_', ' '));
  return 'parts' in value ? renderLine(value) : pill(value.tone, value.mark);
}

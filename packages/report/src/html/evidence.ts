// Renders claims and quotes for the page: each quote opens to the stored lines around it. Pure.
import { type Html, html } from '@holdfast/base/html';
import { capital } from '@holdfast/base/words';
import { quoteCommand } from '../commands.ts';
import type { CheckedClaim, CheckedQuote, Report } from '../report.ts';
import type { Tone } from '../document.ts';
import { markOf, describeFound, describeSource, hostBeside, notesOf, unknownReason } from '../marks.ts';
import { piecesOf, type QuotedLine, quotedLines } from '../quotes/quoted-lines.ts';
import { seriesCharts } from './series-chart.ts';
import { command, facts, link, moment, pill } from './parts.ts';

type Named = Pick<Report, 'sessionId' | 'series'>;

export function renderClaim(report: Named, claim: CheckedClaim, index: number): Html {
  const { text, role, confidence, reason, quotes } = claim;
  const id = `claim-${index + 1}`;
  const tone = toneOf(claim);
  return html`<li class="claim" id="${id}">
    <p class="head">
      <a class="number" href="#${id}">${index + 1}</a
      >${pill(tone, `${signs[tone]} ${markOf(claim)}`)}${role && pill('flat', role)}${
        confidence && html`<span class="small dim">${confidence} confidence</span>`
      }
    </p>
    <p class="text">${text}</p>
    ${reason && html`<p class="small dim">${reason}</p>`} ${renderQuotes(report, quotes)}
  </li>`;
}

function toneOf({ verified, reason }: CheckedClaim): Tone {
  if (verified) return 'good';
  return reason === undefined ? 'bad' : 'warn';
}

const signs: Record<Tone, string> = { good: '✓', warn: '!', bad: '✗', flat: '' };

/** With a picture of each series that they are about. */
export function renderQuotes(report: Named, quotes: readonly CheckedQuote[]): Html[] {
  return [...quotes.map((quote) => renderQuote(report, quote)), ...seriesCharts(report, quotes)];
}

function renderQuote(report: Named, quote: CheckedQuote): Html {
  const tone = !quote.verified ? 'bad' : quote.weak === undefined ? 'good' : 'warn';
  const words = quoteCommand(report, quote);
  return html`<details class="quote ${tone}">
    <summary>
      <span class="line"><blockquote>${wordsOf(quote)}</blockquote></span>
      <span class="place"><strong>${verdictOf(quote)}</strong>${placeOf(quote)}</span>
    </summary>
    <div class="inside">
      ${contextOf(quote)}${detailsOf(quote)}${
        words &&
        html`<p class="small dim">The stored output around it:</p>
          ${command(words)}`
      }
    </div>
  </details>`;
}

/** The whole lines of a quote that was found, with the quoted parts marked. */
function wordsOf(quote: CheckedQuote): Html {
  const lines = quotedLines(quote).filter(({ marked }) => marked.length > 0);
  if (lines.length === 0) return html`${quote.quote}`;
  return html`${lines.map((line, index) => html`${index > 0 ? '\n' : ''}${markedText(line)}`)}`;
}

function markedText(line: QuotedLine): Html[] {
  const isWhole = line.marked.every(
    ({ start, end }) => line.text.slice(start, end).trim() === line.text.trim(),
  );
  return piecesOf(line).map(({ text, isQuoted }) =>
    isQuoted && !isWhole ? html`<mark>${text}</mark>` : html`${text}`,
  );
}

function verdictOf(quote: CheckedQuote): string {
  const found = capital(describeFound(quote));
  if (!quote.verified) return `✗ ${found}`;
  if (quote.weak !== undefined) return `! ${found}, weak`;
  return `${quote.near ? '≈' : '✓'} ${found}`;
}

function placeOf({ source, position, callId, verified, reason = unknownReason }: CheckedQuote): Html {
  const at = source && html` · ${moment(source.at)}`;
  const from = source ? html` · ${describeSource(source)}` : html` · call ${callId}`;
  const host = source && hostBeside(source);
  return verified
    ? html`${from}${host && ` · ${host}`}${at}${position && html` · line ${position.line}`}`
    : html` · ${reason}${from}`;
}

function detailsOf(quote: CheckedQuote): Html {
  const { reason, verified, callId, source, position } = quote;
  return facts([
    ['Not found', verified ? undefined : reason],
    ['Words of the agent', quote.near && quote.quote],
    ...notesOf(quote),
    ['Tool', source && describeSource(source)],
    ['Asked by', source?.agent],
    ['Host', source?.host],
    ['Seen at', source?.link === undefined ? undefined : link(source.link)],
    ['Time', source && moment(source.at)],
    ['Call', html`<code>${callId}</code>`],
    ['Place', position && `line ${position.line}, character ${position.character}`],
  ]);
}

function contextOf(quote: CheckedQuote): Html | undefined {
  const lines = quotedLines(quote);
  if (lines.length === 0) return undefined;
  return html`<ol class="lines">
    ${lines.map((line) => {
      const row = html`<span class="n">${line.number}</span><span class="t">${markedText(line)}</span>`;
      return line.marked.length > 0 ? html`<li class="hit">${row}</li>` : html`<li>${row}</li>`;
    })}
  </ol>`;
}

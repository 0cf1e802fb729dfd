// The hypotheses of a report as a section of the page. Pure.
import { type Html, html } from '../../../base/src/html.ts';
import { describePrediction, describeStanding } from '../hypotheses-words.ts';
import type { CheckedHypothesis, CheckedPrediction, Report } from '../report.ts';
import { renderQuotes } from './evidence.ts';
import { type Section, type Tone, listSection, pill } from './parts.ts';

const statusTones: Record<CheckedHypothesis['status'], Tone> = {
  supported: 'good',
  refuted: 'bad',
  open: 'warn',
  untested: 'flat',
};
const resultTones: Record<CheckedPrediction['result'], Tone> = {
  met: 'good',
  opposite: 'bad',
  not_counted: 'warn',
  untested: 'flat',
};

export function hypothesesSection(report: Report): Section | undefined {
  const items = (report.hypotheses ?? []).map((hypothesis) => {
    const { component, kind, statement, predictions, status } = hypothesis;
    return html`<p>${pill(statusTones[status], describeStanding(hypothesis, report.rootCause))}</p>
      <p class="text">${component} (${kind}): ${statement}</p>
      <ul class="plain">
        ${predictions.map((prediction) => renderPrediction(report, prediction))}
      </ul>`;
  });
  return listSection('hypotheses', 'Considered, and why not', items);
}

function renderPrediction(report: Report, prediction: CheckedPrediction): Html {
  const { id, call, expect, result, quote } = prediction;
  return html`<li>
    <p>${id} ${pill(resultTones[result], describePrediction(prediction))} ${call}: ${expect}</p>
    ${quote?.verified ? renderQuotes(report, [quote]) : undefined}
  </li>`;
}

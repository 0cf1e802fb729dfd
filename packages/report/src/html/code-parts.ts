// The facts that code knows of the run, as sections of the page. Pure.
import { type Html, html } from '../../../base/src/html.ts';
import { capital, counted, toDuration } from '../../../base/src/words.ts';
import { behindOutcome, describeOutcome, isMarked } from '../../../vocabulary/src/call-outcome.ts';
import {
  changeParts,
  describeSettled,
  introduceActions,
  settledBy,
  whenSaid,
  whoDecided,
} from '../action-words.ts';
import { outputCommand } from '../commands.ts';
import { describeRefused } from '../facts-markdown.ts';
import { describeMark, lastWordsTitle } from '../last-words.ts';
import type { Report } from '../report.ts';
import type { Action, FoundInstruction, LeftOver, RunFacts, TimedCall } from '../run-facts.ts';
import {
  type Section,
  type Tone,
  command,
  duration,
  facts,
  list,
  moment,
  pill,
  section,
  text,
} from './parts.ts';

/** Comes first on the page: text from outside asked for something that the policy denied. */
export function instructionsBox(report: Report): Html | undefined {
  const { instructions = [] } = report.run ?? {};
  if (instructions.length === 0) return undefined;
  return html`<aside class="box bad" id="instructions">
    <h2>⚠ Tool output asked for actions that were denied</h2>
    <p>
      These calls were denied or stopped, and an output that the agent had read before has their words.
      Somebody may have planted them there.
    </p>
    ${list(instructions.map((found) => renderInstruction(report, found)))}
  </aside>`;
}

function renderInstruction(
  report: Report,
  { call, callId, reason, by, at, foundIn }: FoundInstruction,
): Html {
  return html`<p class="words"><code>${call}</code></p>
    <p>
      ${by === undefined ? 'Stopped' : capital(whoDecided({ by }))}, ${moment(at)} (call
      <code>${callId}</code>): ${reason}
    </p>
    <p>
      The words are in line ${foundIn.line} of what <code>${foundIn.call}</code> gave (call
      <code>${foundIn.callId}</code>):
    </p>
    <p class="words"><code>${foundIn.text}</code></p>
    ${command(outputCommand(report, foundIn.callId, foundIn.line))}`;
}

const tones: Record<Action['outcome'], Tone> = {
  done: 'good',
  done_in_part: 'warn',
  failed: 'bad',
  unknown: 'bad',
  refused: 'warn',
  not_run: 'warn',
  simulated: 'warn',
  timed_out: 'bad',
};

export function actionsSection(report: Report): Section | undefined {
  const { run } = report;
  if (run === undefined) return undefined;
  const introduction = introduceActions(report);
  const words = introduction === undefined ? undefined : text(introduction);
  if (run.actions.length === 0) return section('actions', 'Actions', html`${words}`);
  const items = run.actions.map(
    (action) =>
      html`<li>
        ${moment(action.at)}
        <div>${renderAction(report, action)}</div>
      </li>`,
  );
  const { actionsLeftOut: left = 0 } = run;
  const more =
    left === 0 ? undefined : text(`${counted(left, 'action')} from the middle left out: the log has them.`);
  return section(
    'actions',
    'Actions',
    html`${words}
      <ol class="times">
        ${items}
      </ol>
      ${more}`,
  );
}

function renderAction(report: Report, action: Action): Html {
  const { call, callId, with: others, change, outcome, why, decidedAt, reason } = action;
  const settled = settledBy(report, action);
  const decision = html`${whoDecided(action)}${decidedAt && html`, ${moment(decidedAt)}`}`;
  return html`<code>${call}</code> ${pill(tones[outcome], describeOutcome(outcome))}
    ${settled && pill('good', describeSettled(settled))} ${why && html`<span class="result">${why}</span>`}
    ${others && html`<span class="result">With <code>${others}</code></span>`}
    ${change && facts(changeParts(change).map(([name, state]) => [name, html`<code>${state}</code>`]))}
    <span class="result">${decision}${reason && html`: ${reason}`} · call <code>${callId}</code></span>`;
}

/** Calls shown at once; the rest opens on demand. */
const shownCalls = 25;

export function callTimeline({ run }: Report): Section | undefined {
  const { calls = [], callsLeftOut = 0 } = run ?? {};
  if (calls.length === 0) return undefined;
  const items = calls.map(renderCall);
  const more = items.slice(shownCalls);
  const rest =
    more.length === 0
      ? undefined
      : html`<details>
          <summary><span class="line">${counted(more.length, 'more call')}</span></summary>
          <div class="inside">
            <ol class="times">
              ${more}
            </ol>
          </div>
        </details>`;
  const left =
    callsLeftOut === 0
      ? undefined
      : text(`${counted(callsLeftOut, 'call')} from the middle left out: the log has them.`);
  return section(
    'calls',
    'Timeline, by the calls’ own times',
    html`<ol class="times">
        ${items.slice(0, shownCalls)}
      </ol>
      ${rest}${left}`,
  );
}

function renderCall({ at, endedAt, waitedMs, call, callId, result, isError, outcome }: TimedCall): Html {
  const marked = isMarked(outcome, isError);
  const tone = marked ? 'result failed' : 'result';
  const waited = waitedMs === undefined ? '' : ` after a wait of ${toDuration(waitedMs)}`;
  return html`<li>
    ${moment(at)}
    <div>
      <code>${call}</code>
      <span class="${tone}"
        >${marked ? `✗ ${describeOutcome(outcome ?? 'failed')}: ` : ''}${behindOutcome(result, outcome)}</span
      >
      <span class="result"
        ><time datetime="${endedAt}">${duration(at, endedAt)}</time>${waited} · call
        <code>${callId}</code></span
      >
    </div>
  </li>`;
}

export function steeringSection(report: Report): Section | undefined {
  const { steering = [] } = report.run ?? {};
  const items = steering.map(
    (said) =>
      html`<li>
        ${moment(said.at)}
        <div class="text">${said.text}<span class="result">${whenSaid(report, said)}</span></div>
      </li>`,
  );
  return items.length === 0
    ? undefined
    : section(
        'steering',
        'What people said',
        html`<ol class="times">
          ${items}
        </ol>`,
      );
}

export function leftSection(report: Report): Section | undefined {
  const { left } = report.run ?? {};
  return left && section('left', 'Where it stopped', renderLeft(left));
}

function renderLeft({ findings, plan, openQuestions, lastTried, refusedReports }: LeftOver): Html {
  const part = (title: string, items: Html[]) =>
    items.length === 0
      ? undefined
      : html`<h3>${title}</h3>
          ${list(items)}<br />`;
  return html`<p class="dim">The run ended before its work was done. This was collected by Holdfast.</p>
    ${part('Pinned findings', findings.map(text))}${part(
      'Plan',
      plan.map(({ text: words, status }) => html`${pill('flat', status.replaceAll('_', ' '))} ${words}`),
    )}${part('Open questions', openQuestions.map(text))}${part('Tried last', lastTried.map(text))}${part(
      'Reports that were refused',
      describeRefused(refusedReports).map(text),
    )}`;
}

/** The last words of the run. They are newer than the report if work continued after it. */
export function answerSection({ run, author }: Report): Section | undefined {
  if (run === undefined || run.answer.trim() === '') return undefined;
  const { answer, afterReport, wordMarks = [] } = run;
  const words = afterReport ? afterWords(afterReport) : author === 'code' ? uncheckedWords : undefined;
  const note = words && html`<p class="box warn small">${words}</p>`;
  const marks = wordMarks.map((mark) => html`<span class="box warn small">${describeMark(mark)}</span>`);
  return section(
    'answer',
    lastWordsTitle,
    html`${note}${marks.length > 0 ? list(marks) : undefined}${text(answer)}`,
  );
}

const uncheckedWords =
  'These are no answer: the agent has handed in no report, and nothing in them was checked.';

export function afterWords({ calls, messages }: NonNullable<RunFacts['afterReport']>): string {
  return (
    `Work continued after the report was handed in: ${counted(calls, 'call')}, ${counted(messages, 'message')}. ` +
    'The agent’s last words may say more than the report.'
  );
}

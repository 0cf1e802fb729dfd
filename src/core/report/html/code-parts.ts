// What code knows of the run, as sections of the page. Pure.
import { type Html, html } from '../../base/html.ts';
import { counted } from '../../base/words.ts';
import { outputCommand } from '../commands.ts';
import type { Report } from '../report.ts';
import type { Action, FoundInstruction, LeftOver, RunFacts, TimedCall } from '../run-facts.ts';
import { type Section, type Tone, command, duration, list, moment, pill, section, text } from './parts.ts';

/** On top of the page: what came from outside has asked for something that policy denied. */
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
      ${by === undefined ? 'Stopped' : `Denied by ${by}`}, ${moment(at)} (call <code>${callId}</code>):
      ${reason}
    </p>
    <p>
      The words are in line ${foundIn.line} of what <code>${foundIn.call}</code> gave (call
      <code>${foundIn.callId}</code>):
    </p>
    <p class="words"><code>${foundIn.text}</code></p>
    ${command(outputCommand(report, foundIn.callId, foundIn.line))}`;
}

const outcomes: Record<Action['outcome'], [Tone, string]> = {
  done: ['good', 'done'],
  failed: ['bad', 'failed'],
  unknown: ['bad', 'outcome unknown'],
  denied: ['warn', 'denied'],
  not_run: ['flat', 'not run'],
};

export function actionsSection({ run, dryRun }: Report): Section | undefined {
  if (run === undefined) return undefined;
  if (run.actions.length === 0) {
    const words = dryRun
      ? 'A dry run: nothing was changed, and only reads were executed.'
      : 'None. The agent only looked: no call that could change something was made.';
    return section('actions', 'Actions taken', text(words));
  }
  const items = run.actions.map(
    (action) =>
      html`<li>
        ${moment(action.at)}
        <div>${renderAction(action)}</div>
      </li>`,
  );
  const { actionsLeftOut: left = 0 } = run;
  const more =
    left === 0 ? undefined : text(`${counted(left, 'action')} from the middle left out: the log has them.`);
  return section(
    'actions',
    'Actions taken',
    html`<ol class="times">
        ${items}
      </ol>
      ${more}`,
  );
}

function renderAction({ call, callId, with: others, outcome, by, decidedAt, reason }: Action): Html {
  const [tone, words] = outcomes[outcome];
  const decision = html`${whoDecided(outcome, by)}${decidedAt && html`, ${moment(decidedAt)}`}`;
  return html`<code>${call}</code> ${pill(tone, words)}
    ${others && html`<span class="result">With <code>${others}</code></span>`}
    <span class="result">${decision}${reason && html`: ${reason}`} · call <code>${callId}</code></span>`;
}

function whoDecided(outcome: Action['outcome'], by: string | undefined): string {
  if (by === undefined) return 'Nobody was asked';
  if (by === 'policy') return 'Decided by a rule (policy)';
  if (by === 'timer') return 'Nobody answered (timer)';
  return outcome === 'denied' ? `Denied by ${by}` : `Approved by ${by}`;
}

/** Shown at once; the rest opens. */
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

function renderCall({ at, endedAt, call, callId, result, isError }: TimedCall): Html {
  const tone = isError ? 'result failed' : 'result';
  return html`<li>
    ${moment(at)}
    <div>
      <code>${call}</code>
      <span class="${tone}">${isError ? '✗ ' : ''}${result}</span>
      <span class="result"
        ><time datetime="${endedAt}">${duration(at, endedAt)}</time> · call <code>${callId}</code></span
      >
    </div>
  </li>`;
}

const origins = { steer: 'said while it worked', follow_up: 'said for when it was done' };

export function steeringSection({ run }: Report): Section | undefined {
  const { steering = [] } = run ?? {};
  const items = steering.map(
    ({ at, text: words, origin }) =>
      html`<li>
        ${moment(at)}
        <div class="text">${words}<span class="result">${origins[origin]}</span></div>
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

function renderLeft({ findings, plan, openQuestions, lastTried }: LeftOver): Html {
  const part = (title: string, items: Html[]) =>
    items.length === 0
      ? undefined
      : html`<h3>${title}</h3>
          ${list(items)}<br />`;
  return html`<p class="dim">The run ended before its work was done. This was collected by Holdfast.</p>
    ${part('Pinned findings', findings.map(text))}${part(
      'Plan',
      plan.map(({ text: words, status }) => html`${pill('flat', status.replaceAll('_', ' '))} ${words}`),
    )}${part('Open questions', openQuestions.map(text))}${part('Tried last', lastTried.map(text))}`;
}

/** The last words of the run, which say more than the report where work continued after it. */
export function answerSection({ run }: Report): Section | undefined {
  if (run === undefined || run.answer.trim() === '') return undefined;
  const { answer, afterReport } = run;
  const note = afterReport && html`<p class="box warn small">${afterWords(afterReport)}</p>`;
  return section('answer', 'The agent’s last words', html`${note}${text(answer)}`);
}

export function afterWords({ calls, messages }: NonNullable<RunFacts['afterReport']>): string {
  return (
    `Work continued after the report was handed in: ${counted(calls, 'call')}, ${counted(messages, 'message')}. ` +
    'The agent’s last words may say more than the report.'
  );
}

// A message as a card: its title and its parts in the order in which people need them, from which each kind of destination
// makes its own form. The words about approvals and outcomes are made here, never by a model. Pure.
import { withClockTimes } from '@holdfast/base/clock-times';
import { cutWords } from '@holdfast/base/cut-text';
import { oneLine } from '@holdfast/base/one-line';
import { present } from '@holdfast/base/present';
import { markLines, toVisibleLine } from '@holdfast/base/visible';
import { counted, describeCost, toDuration } from '@holdfast/base/words';
import { webAddress } from '@holdfast/base/web-address';
import { type AlertLink, alertLabels } from '@holdfast/vocabulary/session-alert';
import { ongoingWords } from '@holdfast/report/run-words';
import { gradeWord } from '@holdfast/report/marks';
import type { DeliveryMessage } from './delivery-message.ts';

/** Texts are plain, and no word in them is an address or a mention: each form escapes its own markup. */
export type Card = {
  /** One line, at most 150 characters. */
  title: string;
  /** In the order in which they are read. */
  parts: CardPart[];
};

export type CardPart =
  /** Names and values, each on one line. */
  | { kind: 'facts'; rows: [name: string, value: string][] }
  /** May have several lines, each behind a bar. */
  | { kind: 'text'; heading: string; text: string }
  /** Lines to be read or copied exactly as they are. */
  | { kind: 'code'; heading: string; lines: string[] }
  | { kind: 'links'; links: AlertLink[] };

const titleCharacters = 150;
/** Escaped to twice their length, all parts together stay below Mattermost's limit of 16,383. */
const valueCharacters = 400;
const textCharacters = 1_400;
const questionCharacters = 2_048;
const previewCharacters = 1_200;
/** A line of a preview, as a terminal shows it. */
const lineCharacters = 200;
const mostLinks = 4;
/** A longer address is left out. */
const linkCharacters = 500;
/** Any text beside the summary and the cause. */
const besideCharacters = 500;
const actionCharacters = 1_000;

type Action = NonNullable<DeliveryMessage['end']>['actions'][0];

export function toCard(message: DeliveryMessage): Card {
  const { title, parts } = bodyOf(message);
  const all = [...parts, aboutSession(message), ...linkTo(message)];
  return { title: line(title, titleCharacters), parts: all.flatMap((part) => toShown(part, message) ?? []) };
}

/** Undefined for a part without words. */
function toShown(part: CardPart, { question }: DeliveryMessage): CardPart | undefined {
  switch (part.kind) {
    case 'facts': {
      const rows = part.rows.flatMap(([name, value]): typeof part.rows =>
        value.trim() === '' ? [] : [[name, line(value, valueCharacters)]],
      );
      return rows.length === 0 ? undefined : { ...part, rows };
    }
    case 'text': {
      const most = question ? questionCharacters : textCharacters;
      const text = cutWords(markLines(inert(part.text)), most);
      return part.text.trim() === '' ? undefined : { ...part, text };
    }
    case 'code':
      // an id of a session may have line ends, which would end the code
      return part.lines.length === 0 ? undefined : { ...part, lines: part.lines.map(toVisibleLine) };
    case 'links':
      return part.links.length === 0 ? undefined : part;
  }
}

function bodyOf(message: DeliveryMessage): Card {
  const { question, end, session, point } = message;
  if (question) return questionBody(question, message);
  if (end) return endBody(end, message);
  const title = `${point === 'start' ? 'Investigation begins' : point}: ${session.subject}`;
  return { title, parts: aboutTask(message) };
}

/** The question and what it would change come first: a phone shows the title alone. */
function questionBody(question: NonNullable<DeliveryMessage['question']>, message: DeliveryMessage): Card {
  const {
    kind,
    asked,
    text: words,
    summary = words,
    said,
    preview,
    isCut,
    host,
    reason,
    options = [],
  } = question;
  const { subagent, deadline, answer } = question;
  const isApproval = kind === 'approval';
  const cut = isCut ? ' (cut here, so look at the whole one first)' : '';
  return {
    title: isApproval
      ? `Waiting for approval: ${summary}${host === undefined ? '' : ` on ${host}`}`
      : `Waiting for an answer: ${oneLine(words)}`,
    parts: [
      isApproval ? code(`Call${cut}`, [words]) : { kind: 'text', heading: 'Question', text: words },
      code('What it would change', previewLines(preview)),
      text('The agent says', said ?? '', besideCharacters),
      facts([
        ['Options', options.join(' / ')],
        ['Host', host ?? ''],
        [
          'Until',
          `${timeIn(message, deadline)}, then ${isApproval ? 'it does not run' : 'the agent gets no answer'}`,
        ],
        ['Reason', reason ?? ''],
        ['Subagent', subagent ?? ''],
        ['Asked', asked.join(', ')],
      ]),
      code('Answer with', answer),
      ...aboutTask(message),
    ],
  };
}

/** Nobody copies them, so no word in them is an address or a mention. */
function previewLines(preview = ''): string[] {
  const shown = cutWords(inert(preview), previewCharacters);
  return shown === '' ? [] : shown.split('\n').map((each) => cutWords(each, lineCharacters));
}

function endBody(end: NonNullable<DeliveryMessage['end']>, message: DeliveryMessage): Card {
  const { words, succeeded, summary, rootCause, impact, nextSteps, quotes, grade, noFault, gaps, report } =
    end;
  const found = quotes ? `, ${quotes.found} of ${quotes.given} quotes found` : '';
  const prose = (words: string): string => timeIn(message, words);
  const harm = impact
    ? [impact.who, `since ${impact.since}`, impact.severity, ongoingWords[impact.ongoing]]
    : [];
  const work = `${counted(end.turns, 'turn')}, ${counted(end.toolCalls, 'tool call')}`;
  return {
    title: titleOf(end, message),
    parts: [
      ...aboutTask(message),
      // of a run that has ended well the title says all
      facts([['Outcome', succeeded && words === 'The run completed.' ? '' : words]]),
      text('Summary', prose(summary)),
      text(
        noFault ? 'Nothing wrong' : 'Cause',
        rootCause ? prose(`${rootCause.component}: ${rootCause.text} (${rootCause.kind})`) : '',
      ),
      text(
        'Impact',
        prose(
          harm
            .filter((part) => part.trim() !== '')
            .map(withoutStop)
            .join('; '),
        ),
        besideCharacters,
      ),
      text('Actions', describeActions(end.actions, message), actionCharacters),
      text('Not known', prose(gaps.map((gap) => `- ${gap}`).join('\n')), besideCharacters),
      text('Next steps', nextSteps.map((step, index) => `${index + 1}. ${step}`).join('\n')),
      facts([
        ['Grade', grade === undefined ? '' : `${gradeWord({ grade, noFault })}${found}`],
        ['Effort', `${describeCost(end)}, ${toDuration(end.durationMs)}, ${work}`],
      ]),
      code('Whole report', report === undefined ? [] : [report]),
    ],
  };
}

function withoutStop(sentence: string): string {
  return sentence.trim().replace(/\.$/, '');
}

/** The newest first and whole, as many as there is room for. */
function describeActions(actions: Action[], message: DeliveryMessage): string {
  const shown: string[] = [];
  for (const action of actions.toReversed()) {
    const words = describeAction(action, message);
    if ([...shown, words].join('\n').length > actionCharacters && shown.length > 0) break;
    shown.push(words);
  }
  const more = actions.length - shown.length;
  return present([...shown, more > 0 && `and ${counted(more, 'earlier one')}: see the report`]).join('\n');
}

function describeAction(
  { at, call, outcome, before, after, undo }: Action,
  message: DeliveryMessage,
): string {
  const states = [
    ['before', before],
    ['after', after],
    ['undo', undo],
  ].flatMap(([name, state]) => (state === undefined ? [] : [`  ${name}: ${state}`]));
  return [`${timeIn(message, at)} ${outcome}: ${call}`, ...states].join('\n');
}

/** A run that ended otherwise than it should is never called done. */
function titleOf(end: NonNullable<DeliveryMessage['end']>, message: DeliveryMessage): string {
  const { status, cause, succeeded, headline } = end;
  const { subject } = message.session;
  const words = headline && timeIn(message, headline);
  if (succeeded) return words ?? `${cause === 'no_report' ? 'Done without a report' : 'Done'}: ${subject}`;
  const early = status === 'aborted' ? 'Stopped' : 'Ended early';
  const outcome = status === 'completed' || status === 'failed' ? 'Failed' : early;
  return words === undefined ? `${outcome}: ${subject}` : `${outcome}. ${words}`;
}

/** The alert with its links, or the task of a session that is about none: that of an alert has the same words for all. */
function aboutTask(message: DeliveryMessage): CardPart[] {
  const { alert, task } = message.session;
  if (!alert) return [facts([['Task', task]])];
  const rows: [string, string][] = [
    ['Alert', alert.name],
    ['Severity', alert.severity ?? ''],
    ['Since', timeIn(message, alert.since ?? '')],
  ];
  return [
    facts(rows),
    { kind: 'links', links: alert.links.flatMap((link) => toLink(link) ?? []).slice(0, mostLinks) },
  ];
}

/** Named by its host, which its title may not say, and which comes first: a title is cut. */
function toLink({ title, url }: AlertLink): AlertLink | undefined {
  const address = webAddress(url);
  if (address === undefined) return undefined;
  // a round bracket would end the address in Markdown
  const to = address.replaceAll('(', '%28').replaceAll(')', '%29');
  if (to.length > linkCharacters) return undefined;
  const { host } = new URL(address);
  return { title: `${host}: ${line(title, titleCharacters - host.length - 2)}`, url: to };
}

function aboutSession({ session, id }: DeliveryMessage): CardPart {
  const own: string[] = Object.values(alertLabels);
  const labels = Object.entries(session.labels).filter(([name]) => !own.includes(name));
  return facts([
    [
      'Session',
      session.name === '' || session.name === session.alert?.name
        ? session.id
        : `${session.name} (${session.id})`,
    ],
    ['Labels', labels.map(([name, value]) => `${name}=${value}`).join(', ')],
    // in a chat nothing else tells a message that comes again
    ['Message', id],
  ]);
}

function linkTo({ session: { url } }: DeliveryMessage): CardPart[] {
  return url === undefined ? [] : [{ kind: 'links', links: [{ title: 'Open in the Temporal UI', url }] }];
}

/** Only of words and times: an id, a call or a command stays as it is. */
function timeIn({ at }: DeliveryMessage, words: string): string {
  return withClockTimes(words, at.slice(0, 10));
}

function facts(rows: [name: string, value: string][]): CardPart {
  return { kind: 'facts', rows };
}

function text(heading: string, words: string, most = textCharacters): CardPart {
  return { kind: 'text', heading, text: cutWords(words, most) };
}

function code(heading: string, lines: string[]): CardPart {
  return { kind: 'code', heading, lines };
}

function line(words: string, length: number): string {
  return cutWords(oneLine(inert(words)), length);
}

/** A blank breaks each address and mention, because products make links of bare ones, and `@channel` and `<users/all>` wake everybody. */
function inert(words: string): string {
  return words.trim().replaceAll(/(?<![\w.+-])@(?=\w)|:(?=\/\/)|www\.(?=\w)|<(?=users\/)/gi, '$& ');
}

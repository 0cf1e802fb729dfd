// A message as a card: title, facts and texts in plain words, from which each kind of destination makes its own form.
// The words about approvals and outcomes are made here, never by a model. Pure.
import { cutText } from '../../core/base/cut-text.ts';
import { oneLine } from '../../core/base/one-line.ts';
import { markLines, toVisibleLine } from '../../core/base/visible.ts';
import { counted, describeCost, toDuration } from '../../core/base/words.ts';
import type { DeliveryMessage } from './delivery-message.ts';

/** Texts are plain, and no word in them is an address or a mention: each form escapes its own markup. */
export type Card = {
  /** One line, at most 150 characters. */
  title: string;
  /** Names and values, each on one line. */
  facts: [name: string, value: string][];
  /** May have several lines, each behind a bar. */
  texts: { heading: string; text: string }[];
  /** Lines to be read or copied exactly as they are. */
  codes: { heading: string; lines: string[] }[];
  link?: { title: string; url: string };
};

const titleCharacters = 150;
/** Escaped to twice their length, all parts together stay below Mattermost's limit of 16,383. */
const valueCharacters = 400;
const textCharacters = 1_400;
const questionCharacters = 2_048;

export function toCard(message: DeliveryMessage): Card {
  const { session } = message;
  const { title, facts = [], texts = [], codes = [] } = bodyOf(message);
  const labels = Object.entries(session.labels).map(([name, value]) => `${name}=${value}`);
  const about: Card['facts'] = [
    ['Task', session.task],
    ['Session', session.name === '' ? session.id : `${session.name} (${session.id})`],
    ['Labels', labels.join(', ')],
    // in a chat nothing else tells a message that comes again
    ['Message', message.id],
  ];
  return {
    title: line(title, titleCharacters),
    facts: [...facts, ...about].flatMap(([name, value]): Card['facts'] =>
      value.trim() === '' ? [] : [[name, line(value, valueCharacters)]],
    ),
    texts: texts.flatMap(({ heading, text }) => {
      const most = message.question ? questionCharacters : textCharacters;
      return text.trim() === '' ? [] : [{ heading, text: cutText(markLines(inert(text)), most) }];
    }),
    // an id of a session may have line ends, which would end the code
    codes: codes.map(({ heading, lines }) => ({ heading, lines: lines.map(toVisibleLine) })),
    ...(session.url === undefined ? {} : { link: { title: 'Open in the Temporal UI', url: session.url } }),
  };
}

type Body = Pick<Card, 'title'> & Partial<Card>;

function bodyOf(message: DeliveryMessage): Body {
  const { question, end, session, point } = message;
  if (question) return questionBody(question, session.subject);
  if (end) return endBody(end, session.subject);
  return { title: `${point === 'start' ? 'Investigation begins' : point}: ${session.subject}` };
}

function questionBody(question: NonNullable<DeliveryMessage['question']>, subject: string): Body {
  const { kind, asked, text, isCut, host, reason, options = [], subagent, deadline, answer } = question;
  const isApproval = kind === 'approval';
  const until = deadline.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  return {
    title: `${isApproval ? 'Waiting for approval' : 'Waiting for an answer'}: ${subject}`,
    facts: [
      ['Asked', asked.join(', ')],
      ['Host', host ?? ''],
      ['Reason', reason ?? ''],
      ['Subagent', subagent ?? ''],
      ['Until', `${until}, then ${isApproval ? 'it does not run' : 'the agent gets no answer'}`],
      ['Options', options.join(' / ')],
    ],
    texts: isApproval ? [] : [{ heading: 'Question', text }],
    codes: [
      ...(isApproval
        ? [{ heading: isCut ? 'Call (cut here, so look at the whole one first)' : 'Call', lines: [text] }]
        : []),
      { heading: 'Answer with', lines: answer },
    ],
  };
}

function endBody(end: NonNullable<DeliveryMessage['end']>, subject: string): Body {
  const { words, summary, rootCause, impact, nextSteps, quotes, noFault, report } = end;
  const grade = gradeOf(end);
  const found = quotes ? `, ${quotes.found} of ${quotes.given} quotes found` : '';
  const harm = impact ? [impact.who, `since ${impact.since}`, impact.severity, ongoing[impact.ongoing]] : [];
  const work = `${counted(end.turns, 'turn')}, ${counted(end.toolCalls, 'tool call')}`;
  return {
    title: `${outcomeOf(end)}: ${subject}`,
    facts: [
      ['Outcome', words],
      ['Grade', grade === undefined ? '' : grade + found],
      ['Effort', `${describeCost(end)}, ${toDuration(end.durationMs)}, ${work}`],
    ],
    texts: [
      { heading: 'Summary', text: summary },
      {
        heading: noFault ? 'Nothing wrong' : 'Cause',
        text: rootCause ? `${rootCause.component}: ${rootCause.text} (${rootCause.kind})` : '',
      },
      { heading: 'Impact', text: harm.join('; ') },
      { heading: 'Next steps', text: nextSteps.map((step, index) => `${index + 1}. ${step}`).join('\n') },
    ],
    codes: report === undefined ? [] : [{ heading: 'Whole report', lines: [report] }],
  };
}

const ongoing = { yes: 'still going on', no: 'over', unknown: 'not known if it is over' } as const;

function gradeOf({ grade, noFault }: NonNullable<DeliveryMessage['end']>): string | undefined {
  return noFault ? 'no fault found' : grade;
}

/** A run that ended otherwise than it should is never called done. */
function outcomeOf(end: NonNullable<DeliveryMessage['end']>): string {
  const { status, cause, succeeded } = end;
  if (succeeded) {
    const grade = gradeOf(end);
    if (grade !== undefined) return `Done, ${grade}`;
    return cause === 'no_report' ? 'Done without a report' : 'Done';
  }
  if (status === 'completed' || status === 'failed') return 'Failed';
  return status === 'aborted' ? 'Stopped' : 'Ended early';
}

function line(text: string, length: number): string {
  return cutText(oneLine(inert(text)), length);
}

/** A blank breaks each address and mention, because products make links of bare ones, and `@channel` and `<users/all>` wake everybody. */
function inert(text: string): string {
  return text.trim().replaceAll(/(?<![\w.+-])@(?=\w)|:(?=\/\/)|www\.(?=\w)|<(?=users\/)/gi, '$& ');
}

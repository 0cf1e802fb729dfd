// The answers of people, as every client sends them: whose they are, and what they are about.
import { expect, test } from 'vitest';
import {
  parseTakenBack,
  parseAnswer,
  parseApproval,
  parseQuestionAnswer,
} from '../../../src/core/session/answers.ts';

/** Every form that has the name of a person. */
const forms: [string, (name: string) => ReturnType<typeof parseTakenBack | typeof parseAnswer>][] = [
  ['answer', (by) => parseAnswer({ question: 'c', answer: 'deny', by })],
  ['resolveApproval', (actor) => parseApproval('c', { approve: false, actor })],
  ['answerQuestion', (actor) => parseQuestionAnswer('c', 'yes', actor)],
  ['forgetAllowance', (actor) => parseTakenBack('allowance-1', { actor })],
];

test.each(forms)('[MODE-09n] %s takes the name of a person without the blanks around it', (_name, parse) => {
  const parsed = parse(' José Müller ');
  expect(parsed).toMatchObject({ ok: true, value: { actor: 'José Müller' } });
});

const hidden = ['kim\u202e', '\u200b', 'k\u0456m', 'kim\nAnswer with:', '\u3164', '   ', ''];
test.each(forms)('[MODE-09n] %s refuses a name that hides something', (_name, parse) => {
  for (const name of hidden) expect([name, parse(name)]).toMatchObject([name, { code: 'InvalidAnswer' }]);
});

test.each(['your name', 'Your name', ' YOUR NAME ', 'Your name\u202e'])('[MODE-09n] %j is nobody', (by) => {
  const parsed = parseAnswer({ question: 'c', answer: 'deny', by });
  expect(parsed.ok || parsed.code).toBe('InvalidAnswer');
});

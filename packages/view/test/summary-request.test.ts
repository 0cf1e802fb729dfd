// What a summariser is asked.
import { toSettings } from '@holdfast/vocabulary/merge-options';
import { expect, test } from 'vitest';
import type { Message } from '@holdfast/vocabulary/messages';
import { userMessage } from '@holdfast/vocabulary/messages';
import { summaryPrompt } from '../src/summary-request.ts';
import { touchedFiles } from '../src/touched-files.ts';
import { calls, says } from '../../../test/support/memory-model.ts';
import { toolResult } from '../../../test/support/recorded-histories.ts';

const task = 'Why is checkout slow since noon?';
const work: Message[] = [
  userMessage(task),
  calls(`c1:read:${JSON.stringify({ path: 'a'.repeat(300) })}`),
  toolResult('c1', 'r'.repeat(800), 'read'),
  says('The pool is full.'),
  { role: 'custom', kind: 'note', data: { secret: 'for the application' } },
];

const settingsOf = (maxTokens: number) => toSettings({ condense: { maxTokens } });

test('[COND-14a] the request has the original task, all that must survive, and a limit in words', () => {
  const prompt = summaryPrompt(work.slice(1), { task }, settingsOf(500));
  expect(prompt).toContain(`The task:\n${task}`);
  for (const part of [
    'goal',
    'findings',
    'resources',
    'decisions',
    'done',
    'pending',
    'state',
    'next steps',
  ]) {
    expect(prompt).toContain(part);
  }
  expect(prompt).toMatch(/At most 350 words/);
  expect(summaryPrompt(work, { task }, settingsOf(1_000))).toMatch(/At most 700 words/);
});

test('[COND-14b] arguments are cut at 200 characters, results at 500; system text and custom messages are left out', () => {
  const prompt = summaryPrompt(work, { task }, settingsOf(500));
  const args = JSON.stringify({ path: 'a'.repeat(300) });
  expect(prompt).toContain(
    `call read ${args.slice(0, 200)} [${args.length - 200} more characters], its id: c1\n`,
  );
  expect(prompt).toContain(`result of read: ${'r'.repeat(500)} [300 more characters]`);
  expect(prompt).not.toContain('r'.repeat(501));
  expect(prompt).toContain('assistant: The pool is full.');
  expect(prompt).not.toContain('for the application');
});

test('[COND-10a] a later condense updates the summary before, which is not part of the work again', () => {
  const first = summaryPrompt(work, { task }, settingsOf(500));
  expect(first).toContain('The work so far:');
  expect(first).not.toContain('Update');
  const later = summaryPrompt(work, { task, summary: 'Pool is 2.' }, settingsOf(500));
  expect(later).toContain('The notes so far:\nPool is 2.\n\nThe work since then:');
  expect(later).toContain('Update the notes');
});

test('[COND-19d] files are those that read, write and edit were called with; modified ones are not read ones too', () => {
  const files = touchedFiles([
    calls('a:read:{"path":"/a"}', 'b:read:{"path":"/b"}', 'c:grep:{"path":"/c"}'),
    calls('d:edit:{"path":"/b"}', 'e:write:{"path":"/d"}', 'f:read:{"path":"/a"}', 'g:read:not json'),
    toolResult('a', 'text', 'read'),
  ]);
  expect(files).toEqual({ read: ['/a'], modified: ['/b', '/d'] });
});

// The question of an approval on a terminal: only what is typed after it is an answer.
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { createApprovalDesk } from '../../src/cli/ask-approval.ts';
import type { Cli, Output } from '../../src/cli/cli.ts';
import type { HoldfastClient } from '../../src/client.ts';

/** A terminal that the test types on, and a session in which one call waits. */
function createSetting() {
  const keyboard = new PassThrough();
  const raw: boolean[] = [];
  const stdin = Object.assign(keyboard, {
    isTTY: true,
    setRawMode: (on: boolean) => void raw.push(on),
  });
  const stderr = new PassThrough();
  const news = new EventEmitter();
  let shown = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    news.emit('news');
  });
  const answers: boolean[] = [];
  const answered = async (approve: boolean) => {
    answers.push(approve);
    news.emit('news');
    return { approved: approve };
  };
  // Only what the desk asks of them.
  const client = {
    pendingApprovals: async () => [{ id: 'c', tool: 'read', args: '{"path":"a"}' }],
    approve: () => answered(true),
    deny: () => answered(false),
  } as unknown as HoldfastClient;
  const output: Output = {
    ...{ json: false, terminal: true, colors: pc.createColors(false) },
    ...{ print: () => {}, emit: () => {}, say: (line) => void stderr.write(`${line}\n`) },
  };
  const cli = { stdin, stdout: stderr, stderr } as unknown as Cli;
  const desk = createApprovalDesk({ cli, output, client, sessionId: 's', mode: 'ask' });
  return {
    keyboard,
    raw,
    answers,
    desk,
    request: () => {
      const body = { callId: 'c', tool: 'read', summary: 'read a', argsDigest: 'd', deadline: 9 } as const;
      desk.onItem({ type: 'event', event: { type: 'approval_requested', seq: 1, at: 0, ...body } });
    },
    until: async (pattern: RegExp) => {
      while (!pattern.test(shown)) await once(news, 'news');
    },
    answer: async () => {
      while (answers.length === 0) await once(news, 'news');
      return answers[0];
    },
  };
}

test('what was typed before the question is no answer to it', async () => {
  const { keyboard, request, until, answer, answers, raw } = createSetting();
  keyboard.write('y\n');
  request();
  await until(/Run exactly this\? \[y\/N\] $/);
  expect(answers).toEqual([]);
  expect(raw).toEqual([true, false]);
  keyboard.write('n\n');
  expect(await answer()).toBe(false);
});

test('the answer to the question counts', async () => {
  const { keyboard, request, until, answer } = createSetting();
  request();
  await until(/Run exactly this/);
  keyboard.write('y\n');
  expect(await answer()).toBe(true);
});

test('Ctrl-D at the question decides nothing, and says how to answer', async () => {
  const { keyboard, request, until, answers } = createSetting();
  request();
  await until(/Run exactly this/);
  keyboard.end();
  await until(/Answer with: holdfast approve s c {3}or: holdfast deny s c/);
  expect(answers).toEqual([]);
});

// The question of an approval on a terminal: only what is typed after it is an answer, and only a clear one decides.
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { createApprovalDesk } from '../../../src/cli/approvals/ask-approval.ts';
import type { DeskOptions } from '../../../src/cli/approvals/ask-approval.ts';
import { parseReply } from '../../../src/cli/approvals/ask-here.ts';
import type { ApprovalReply } from '../../../src/cli/approvals/ask-here.ts';
import type { Cli, Output } from '../../../src/cli/cli.ts';
import type { Decision } from '../../../src/client.ts';
import type { PendingApproval } from '../../../src/core/model/snapshot.ts';

const hour = 3_600_000;

const pending: PendingApproval = {
  ...{ id: 'c', tool: 'rollback', args: '{"deploy":"d-5\\u202e","when":{"now":true}}', argsDigest: 'digest' },
  ...{ summary: 'rollback d-5', effect: 'once', reason: 'It changes something.', turn: 4 },
  ...{ requestedAt: Date.now(), deadline: Date.now() + 24 * hour },
  rememberable: ['call', 'tool'],
};

type Choices = Partial<Pick<DeskOptions, 'mode'> & { json: boolean }>;

/** A terminal that the test types on, and a session in which one call waits. */
function createSetting({ mode = 'ask', json = false }: Choices = {}) {
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
  const answers: (Decision & { approve: boolean })[] = [];
  const answered = (approve: boolean) => async (_call: string, decision: Decision) => {
    answers.push({ approve, ...decision });
    news.emit('news');
    return { approved: approve };
  };
  const session = {
    sessionId: 's',
    pendingApprovals: async () => [pending],
    approve: answered(true),
    deny: answered(false),
  };
  const output: Output = {
    ...{ json, terminal: !json, colors: pc.createColors(false) },
    ...{ print: () => {}, emit: () => {}, say: (line) => void stderr.write(`${line}\n`) },
  };
  const cli = { stdin, stdout: stderr, stderr } as unknown as Cli;
  const desk = createApprovalDesk({ cli, output, session, mode });
  return {
    keyboard,
    raw,
    answers,
    desk,
    shown: () => shown,
    request: () => {
      const { id: callId, tool, summary, args, deadline } = pending;
      const body = { callId, tool, summary, args, deadline } as const;
      desk.hear({ type: 'approval_requested', seq: 1, at: 0, ...body });
    },
    until: async (pattern: RegExp, times = 1) => {
      while ((shown.match(new RegExp(pattern, 'g'))?.length ?? 0) < times) await once(news, 'news');
    },
    answer: async () => {
      while (answers.length === 0) await once(news, 'news');
      return answers[0];
    },
  };
}

const question = /Run exactly this\? \[y\/n\] [^\n]*$/;

test('[MODE-09] what was typed before the question is no answer to it', async () => {
  const { keyboard, request, until, answer, answers, raw } = createSetting();
  keyboard.write('y\n');
  request();
  await until(question);
  expect(answers).toEqual([]);
  expect(raw).toEqual([true, false]);
  keyboard.write('n\n');
  expect(await answer()).toMatchObject({ approve: false });
});

test('[MODE-09] [MODE-10] the question shows the arguments, the reason and the deadline, and yes answers for them', async () => {
  const { keyboard, request, until, answer, shown } = createSetting();
  request();
  await until(question);
  expect(shown()).toContain('rollback {"deploy":"d-5\\u202e","when":{"now":true}}\n');
  expect(shown()).toMatch(
    /It changes something\. Denied without an answer in 23 h 59 min, \w{3} \d\d:\d\d \S+\n/,
  );
  keyboard.write('Yes\n');
  expect(await answer()).toMatchObject({ approve: true, argsDigest: 'digest' });
});

test('[MODE-09] what says neither yes nor no asks again, and what came with it is discarded', async () => {
  const { keyboard, request, until, answer, answers } = createSetting();
  request();
  await until(/Run exactly this/);
  keyboard.write('maybe\ny\n');
  await until(/Run exactly this/, 2);
  expect(answers).toEqual([]);
  keyboard.write('\n');
  await until(/Run exactly this/, 3);
  expect(answers).toEqual([]);
  keyboard.write('no because it is Friday\n');
  expect(await answer()).toMatchObject({ approve: false, reason: 'it is Friday' });
});

test('[MODE-09] details show everything there is about the call, and ask again', async () => {
  const { keyboard, request, until, answers, shown } = createSetting();
  request();
  await until(/Run exactly this/);
  keyboard.write('d\n');
  await until(/Run exactly this/, 2);
  expect(shown()).toMatch(
    /call +c, turn 4[^]*tool +rollback[^]*effect +once: [^]*reason +It changes something\.[^]*deadline +in 23 h 59 min, /,
  );
  expect(shown()).toContain(
    '    {\n      "deploy": "d-5\\u202e",\n      "when": {\n        "now": true\n      }\n    }\n',
  );
  expect(answers).toEqual([]);
});

test.each([
  ['later', (keyboard: PassThrough) => void keyboard.write('later\n')],
  ['Ctrl-D', (keyboard: PassThrough) => void keyboard.end()],
])('[MODE-09] %s decides nothing, and says how to answer elsewhere until when', async (_name, type) => {
  const { keyboard, request, until, answers, shown } = createSetting();
  request();
  await until(/Run exactly this/);
  type(keyboard);
  await until(/Answer with: holdfast approve s c {3}or: holdfast deny s c/);
  expect(shown()).toMatch(/rollback waits for an answer; denied without one in 23 h 59 min, /);
  expect(answers).toEqual([]);
});

test('[MODE-09] without a terminal the arguments and the commands that answer are said', async () => {
  const { request, until, shown } = createSetting({ json: true });
  request();
  await until(/Answer with: holdfast approve s c/);
  expect(shown()).toMatch(
    /rollback \{"deploy":"d-5\\u202e".*\} waits for an answer; denied without one in 23 h/,
  );
});

const replies: [string, ApprovalReply][] = [
  ['y', { type: 'yes' }],
  [' YES ', { type: 'yes' }],
  ['n', { type: 'no' }],
  ['No', { type: 'no' }],
  ['no because it is Friday', { type: 'no', reason: 'it is Friday' }],
  ['n, because of d-4', { type: 'no', reason: 'of d-4' }],
  ['no: wrong service', { type: 'no', reason: 'wrong service' }],
  ['d', { type: 'details' }],
  ['?', { type: 'details' }],
  ['details', { type: 'details' }],
  ['l', { type: 'later' }],
  ['later', { type: 'later' }],
];

test.each(replies)('[MODE-09] the reply %j is read as %j', (text, reply) => {
  expect(parseReply(text)).toEqual(reply);
});

test.each([
  '',
  'maybe',
  'no problem',
  'no, go ahead',
  'yes but not now',
  'yn',
  'yy',
  'ja',
  'no because',
  '1',
])('[MODE-09] the reply %j decides nothing', (text) => {
  expect(parseReply(text)).toEqual({ type: 'unclear' });
});

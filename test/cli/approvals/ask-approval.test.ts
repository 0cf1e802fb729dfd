// The question of an approval on a terminal: only what is typed after it is an answer, and only a clear one decides.
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { noColors } from '../../../src/cli/colors.ts';
import { expect, test } from 'vitest';
import { createApprovalDesk } from '../../../src/cli/approvals/ask-approval.ts';
import type { DeskOptions } from '../../../src/cli/approvals/ask-approval.ts';
import { parseReply } from '../../../src/cli/approvals/ask-here.ts';
import type { ApprovalReply } from '../../../src/cli/approvals/ask-here.ts';
import type { Cli, Output } from '../../../src/cli/cli.ts';
import type { Approval } from '../../../src/client.ts';
import type { PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';

const hour = 3_600_000;

const pending: PendingApproval = {
  id: 'c',
  tool: 'rollback',
  args: '{"deploy":"d-5\\u202e","when":{"now":true}}',
  argsDigest: 'digest',
  summary: 'rollback d-5',
  effect: 'once',
  reason: 'It changes something.',
  turn: 4,
  requestedAt: Date.now(),
  deadline: Date.now() + 24 * hour,
  rememberable: ['call', 'tool'],
};

const asked: PendingQuestion = {
  id: 'q',
  question: 'Was the pool made\nsmaller on \u001b[31mpurpose?',
  options: ['yes', 'no'],
  turn: 4,
  requestedAt: Date.now(),
  deadline: Date.now() + 24 * hour,
};

const { id: callId, tool, summary, args, deadline } = pending;
const requested = {
  type: 'approval_requested',
  seq: 1,
  at: 0,
  callId,
  tool,
  summary,
  args,
  deadline,
} as const;

/** A subagent two levels below the session. */
const originOf = (path: string) => {
  const below = { agent: 'x', name: 'b', prefix: '🤖', parent: 'a', depth: 2, childId: `s/${path}` };
  return { ...below, path, sessionId: `s/${path}` };
};

type Choices = Partial<Pick<DeskOptions, 'mode'> & { json: boolean; call: Partial<PendingApproval> }>;

/** A terminal that the test types on, and a session in which one call waits. */
function createSetting({ mode = 'ask', json = false, call = {} }: Choices = {}) {
  const keyboard = new PassThrough();
  const raw: boolean[] = [];
  const stdin = Object.assign(keyboard, { isTTY: true, setRawMode: (on: boolean) => void raw.push(on) });
  const stderr = new PassThrough();
  const news = new EventEmitter();
  let shown = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    news.emit('news');
  });
  const answers: (Approval & { approve: boolean })[] = [];
  const replies: string[] = [];
  const answered = (approve: boolean) => async (_call: string, decision: Approval) => {
    answers.push({ approve, ...decision });
    news.emit('news');
    return { approved: approve };
  };
  const session = {
    sessionId: 's',
    pendingApprovals: async () => [{ ...pending, ...call }],
    pendingQuestions: async () => [asked],
    answerQuestion: async (_id: string, text: string) => {
      replies.push(text);
      news.emit('news');
      return { answered: 'q' };
    },
    approve: answered(true),
    deny: answered(false),
  };
  const others: string[] = [];
  const other = (sessionId: string) => {
    others.push(sessionId);
    return { ...session, sessionId };
  };
  const output: Output = {
    json,
    terminal: !json,
    width: undefined,
    height: undefined,
    colors: noColors,
    print: () => {},
    emit: () => {},
    say: (line) => void stderr.write(`${line}\n`),
    divert: () => () => {},
  };
  const cli = { stdin, stdout: stderr, stderr } as unknown as Cli;
  const desk = createApprovalDesk({ cli, output, session: { ...session, other }, mode });
  return {
    keyboard,
    raw,
    answers,
    desk,
    shown: () => shown,
    request: () => desk.hear(requested),
    until: async (pattern: RegExp, times = 1) => {
      while ((shown.match(new RegExp(pattern, 'g'))?.length ?? 0) < times) await once(news, 'news');
    },
    answer: async () => {
      while (answers.length === 0) await once(news, 'news');
      return answers[0];
    },
    put: () => {
      const { id: callId, question: text, options = [], deadline } = asked;
      desk.hear({ type: 'question_asked', seq: 1, at: 0, callId, question: text, options, deadline });
    },
    reply: async () => {
      while (replies.length === 0) await once(news, 'news');
      return replies[0];
    },
    replies,
    others,
    requestBelow: (path: string) => desk.hear({ ...requested, ...originOf(path) }),
    endBelow: (path: string) => {
      const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      const end = { status: 'completed' as const, newMessages: { fromSeq: 1, toSeq: 1 }, usage, costUsd: 0 };
      const thoughts = { items: [], fromSeq: 1, toSeq: 1, truncated: false };
      desk.hear({ type: 'agent_end', seq: 9, at: 0, ...end, thoughts, ...originOf(path) });
    },
  };
}

const question = /Run exactly this\? \[y\/n\] [^\n]*$/;

/** The same, once the question is there. */
async function createAsked(choices: Choices = {}) {
  const setting = createSetting(choices);
  setting.request();
  await setting.until(question);
  return setting;
}

test('[MODE-09a] a call of a subagent is asked about by its own session, and answered there', async () => {
  const { keyboard, requestBelow, until, answer, others } = createSetting();
  requestBelow('a/b');
  await until(question);
  keyboard.write('y\n');
  expect(await answer()).toMatchObject({ approve: true, argsDigest: pending.argsDigest });
  expect(others).toContain('s/a/b');
});

test('[MODE-09a] the end of a subagent takes its own question away, and no other', async () => {
  const { request, requestBelow, endBelow, until, answers, keyboard, answer } = createSetting();
  requestBelow('a/b');
  await until(question);
  request();
  endBelow('a/b');
  await until(/Run exactly this/, 2);
  keyboard.write('n\n');
  expect(await answer()).toMatchObject({ approve: false });
  expect(answers).toHaveLength(1);
});

test('[MODE-09e] a call of a subagent that is answered elsewhere has the id that the session above knows', async () => {
  const { requestBelow, until, shown } = createSetting({ json: true });
  requestBelow('a/b');
  await until(/Answer with/);
  expect(shown()).toMatch(new RegExp(`approve s '?a/b/${pending.id}`));
});

test('[MODE-09b] what was typed before the question is no answer to it', async () => {
  const { keyboard, request, until, answer, answers, raw } = createSetting();
  keyboard.write('y\n');
  request();
  await until(question);
  expect(answers).toEqual([]);
  expect(raw).toEqual([true, false]);
  keyboard.write('n\n');
  expect(await answer()).toMatchObject({ approve: false });
});

test('[MODE-09ab] the question shows the arguments, the reason and the deadline, and yes answers for them', async () => {
  const { keyboard, answer, shown } = await createAsked();
  expect(shown()).toContain('rollback {"deploy":"d-5\\u202e","when":{"now":true}}\n');
  expect(shown()).toMatch(/It changes something\. No answer by \w{3} \d\d:\d\d \S+: it does not run\.\n/);
  keyboard.write('Yes\n');
  expect(await answer()).toMatchObject({ approve: true, argsDigest: 'digest' });
});

test('[MODE-09b] what says neither yes nor no asks again, and what came with it is discarded', async () => {
  const { keyboard, until, answer, answers } = await createAsked();
  keyboard.write('maybe\ny\n');
  await until(/Run exactly this/, 2);
  expect(answers).toEqual([]);
  keyboard.write('\n');
  await until(/Run exactly this/, 3);
  expect(answers).toEqual([]);
  keyboard.write('no because it is Friday\n');
  expect(await answer()).toMatchObject({ approve: false, reason: 'it is Friday' });
});

test('[MODE-09a] details show everything there is about the call, and ask again', async () => {
  const { keyboard, until, answers, shown } = await createAsked();
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

test('[SAFE-12ab] a secret is masked in the question, and d shows it', async () => {
  const call: Partial<PendingApproval> = {
    args: '{"command":"mysql --password=[redacted:password]"}',
    masked: true,
    unmaskedArgs: '{"command":"mysql --password=hunter2"}',
  };
  const { keyboard, until, shown } = await createAsked({ call });
  expect(shown()).toContain(`rollback ${call.args}\n  (a secret in it is masked: d shows it)\n`);
  expect(shown()).not.toContain('hunter2');
  keyboard.write('d\n');
  await until(/Run exactly this/, 2);
  expect(shown()).toContain('      "command": "mysql --password=hunter2"');
});

test.each([
  ['later', (keyboard: PassThrough) => void keyboard.write('later\n')],
  ['Ctrl-D', (keyboard: PassThrough) => void keyboard.end()],
])('[MODE-09b] %s decides nothing, and says how to answer elsewhere until when', async (_name, type) => {
  const { keyboard, until, answers, shown } = await createAsked();
  type(keyboard);
  await until(/Answer with:\n {4}holdfast approve s c\n {4}holdfast deny s c/);
  expect(shown()).toMatch(/rollback waits for an answer; not run without one in 23 h 59 min, /);
  expect(answers).toEqual([]);
});

test('[MODE-09a] without a terminal the arguments and the commands that answer are said', async () => {
  const { request, until, shown } = createSetting({ json: true });
  request();
  await until(/Answer with:\n {4}holdfast approve s c/);
  expect(shown()).toMatch(
    /rollback \{"deploy":"d-5\\u202e".*\} waits for an answer; not run without one in 23 h/,
  );
});

test.each([
  ['s', { approve: true, remember: 'call', argsDigest: 'digest' }],
  ['every', { approve: true, remember: 'tool', argsDigest: 'digest' }],
])(
  '[MODE-09b] %s approves for the rest of the session, and the question says so',
  async (typed, expected) => {
    const { keyboard, request, until, answer } = createSetting();
    request();
    await until(
      /s: yes, and the same call for this session, every: yes, and every later call of this tool\) $/,
    );
    keyboard.write(`${typed}\n`);
    expect(await answer()).toMatchObject(expected);
  },
);

test('[MODE-09b] what cannot be remembered is not offered, and typed all the same it decides nothing', async () => {
  const { keyboard, request, until, answers, shown } = createSetting({ call: { rememberable: ['call'] } });
  request();
  await until(/l: later; s: yes, and the same call for this session\) $/);
  keyboard.write('every\n');
  await until(/Run exactly this/, 2);
  expect(answers).toEqual([]);
  expect(shown()).toContain('"every" decides nothing: yes, same, no, details or later.');
});

test('[SAFE-11b] [MODE-09a] the preview of a call is shown without what would steer the terminal: its beginning, and all of it as details', async () => {
  const preview = [
    '--- a\u001b[2J/pool.conf',
    '+max = 50\u202e',
    ...Array.from({ length: 20 }, (_, index) => `line ${index}`),
    'x'.repeat(500),
  ].join('\n');
  const { keyboard, until, shown } = await createAsked({ call: { preview } });
  expect(shown()).toContain('    | --- a\\u{1B}[2J/pool.conf\n    | +max = 50\\u{202E}\n    | line 0\n');
  expect(shown()).toContain('    | line 9\n    | … 11 more lines: d shows all\n');
  expect(shown()).not.toContain('line 10');
  keyboard.write('d\n');
  await until(/Run exactly this/, 2);
  expect(shown()).toContain(`    | line 19\n    | ${'x'.repeat(500)}\n`);
});

test('[MODE-11a] a question shows its options; what was typed before is no answer, an empty line asks again, a number chooses', async () => {
  const { keyboard, put, until, reply, replies, shown } = createSetting();
  keyboard.write('2\n');
  put();
  await until(/Your answer \(a number or your own words, l: later\): $/);
  expect(replies).toEqual([]);
  expect(shown()).toContain(
    '  │ Was the pool made\n  │ smaller on \\u{1B}[31mpurpose?\n    1) yes\n    2) no\n',
  );
  expect(shown()).toMatch(/No answer by \w{3} \d\d:\d\d \S+ closes it\.\n/);
  keyboard.write(' \n');
  await until(/Your answer/, 2);
  expect(replies).toEqual([]);
  keyboard.write('1\n');
  expect(await reply()).toBe('yes');
});

test('[MODE-11a] a number that no option has is asked about again', async () => {
  const { keyboard, put, until, reply } = createSetting();
  put();
  await until(/Your answer/);
  keyboard.write('3\n');
  await until(/Your answer[^]*Your answer/);
  keyboard.write('2\n');
  expect(await reply()).toBe('no');
});

test.each(['2)', '2.'])(
  '[MODE-11a] a number as it is shown before its option chooses it: %j',
  async (typed) => {
    const { keyboard, put, until, reply } = createSetting();
    put();
    await until(/Your answer/);
    keyboard.write(`${typed}\n`);
    expect(await reply()).toBe('no');
  },
);

test.each([
  ['only in part, see d-5', 'only in part, see d-5'],
  ['3 of them', '3 of them'],
])('[MODE-11b] own words are taken as they are: %j', async (typed, expected) => {
  const { keyboard, put, until, reply } = createSetting();
  put();
  await until(/Your answer/);
  keyboard.write(`${typed}\n`);
  expect(await reply()).toBe(expected);
});

test('[MODE-11a] --yes answers no question: it is asked; where nobody can be asked, the command that answers is said', async () => {
  const here = createSetting({ mode: 'approve' });
  here.put();
  await here.until(/Your answer/);
  here.keyboard.write('later\n');
  await here.until(/Answer with:\n {4}holdfast answer s q "your answer"/);
  expect(here.shown()).toMatch(/The question waits for an answer; closed without one in 23 h 59 min, /);
  const elsewhere = createSetting({ json: true });
  elsewhere.put();
  await elsewhere.until(/Answer with:\n {4}holdfast answer s q "your answer"/);
  expect(elsewhere.shown()).toContain('Was the pool made\n');
  expect([...here.replies, ...elsewhere.replies]).toEqual([]);
});

test('[MODE-11a] an answer that was given elsewhere takes the question away', async () => {
  const { desk, put, until, request, answer, keyboard, replies } = createSetting();
  put();
  await until(/Your answer/);
  desk.hear({ type: 'question_answered', seq: 2, at: 0, callId: 'q', actor: 'kim', text: 'yes' });
  // the next question gets the terminal
  request();
  await until(question);
  keyboard.write('y\n');
  expect(await answer()).toMatchObject({ approve: true });
  expect(replies).toEqual([]);
});

const replies: [string, ApprovalReply][] = [
  ['y', { type: 'yes' }],
  ['same', { type: 'yes', remember: 'call' }],
  ['EVERY', { type: 'yes', remember: 'tool' }],
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

test.each(replies)('[MODE-09b] the reply %j is read as %j', (text, reply) => {
  expect(parseReply(text, ['call', 'tool'])).toEqual(reply);
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
  'e',
  'every call',
  '1',
])('[MODE-09b] the reply %j decides nothing', (text) => {
  expect(parseReply(text, ['call', 'tool'])).toEqual({ type: 'unclear' });
});

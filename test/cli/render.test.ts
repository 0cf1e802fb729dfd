// What people see of a session: lines per event, live text exactly once, the end and its figures.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { noColors } from '../../src/cli/colors.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type Cli, createOutput } from '../../src/cli/cli.ts';
import { exitCodeOf } from '../../src/common/exit-codes.ts';
import { rememberPlace } from '../../src/config/command-line.ts';
import { describeFigures, describeResult } from '../../src/cli/render/describe-result.ts';
import { describeQueued } from '../../src/cli/render/describe-waiting.ts';
import { describeListing, stateOf } from '../../src/cli/render/describe-session.ts';
import { toCost, toDuration } from '@holdfast/base/words';
import { toCount, toLine, toPlain } from '../../src/cli/render/plain-text.ts';
import type { RenderPlace } from '../../src/cli/render/describe-event.ts';
import { describeRecord, describeThought } from '../../src/cli/render/describe-record.ts';
import { createSessionRenderer } from '../../src/cli/render/session-renderer.ts';
import { wrapLine } from '../../src/cli/render/wrap.ts';
import { widthOf } from '../../src/cli/render/fit.ts';
import type { AgentEventBody } from '@holdfast/vocabulary/events';
import type { MessageUpdate } from '@holdfast/vocabulary/session-events';
import { noUsage } from '@holdfast/vocabulary/messages';
import { noThoughts } from '../../src/core/state/thoughts.ts';
import type { RunResult } from '@holdfast/vocabulary/run-result';

const output = { terminal: true, colors: noColors };

function createScreen(now = 0, place: RenderPlace = {}) {
  let shown = '';
  let seq = 0;
  const renderer = createSessionRenderer(
    output,
    's',
    { ...place, write: (text) => void (shown += text), ring: () => void (shown += '\u0007') },
    () => now,
  );
  return {
    renderer,
    show: (turn: number, body: AgentEventBody, at = 0) =>
      renderer.show({ seq: ++seq, at, runId: 'r', turn, ...body }),
    text: () => shown,
  };
}

function update(text: string, attempt = 1): MessageUpdate {
  const head = { runId: 'r', turn: 1, messageSeq: 2, attempt, seq: 2 };
  return { type: 'message_update', ...head, delta: { type: 'text', text } };
}

function reset(attempt: number): MessageUpdate {
  return { ...update('', attempt), delta: { type: 'reset' } };
}

const end = (text: string): AgentEventBody => ({
  type: 'message_end',
  role: 'assistant',
  messageSeq: 2,
  text,
});

test('one line per event, with the summary of a call on its start and its end', () => {
  const screen = createScreen();
  screen.show(1, { type: 'turn_start' });
  screen.show(1, { type: 'message_end', role: 'user', messageSeq: 1, text: 'why?' });
  screen.show(1, {
    type: 'tool_execution_start',
    callId: 'c',
    tool: 'grep',
    rawArgs: '{}',
    summary: 'grep pool shop.log',
  });
  screen.show(1, {
    type: 'tool_execution_end',
    callId: 'c',
    tool: 'grep',
    isError: false,
    text: 'pool\nexhausted',
  });
  screen.show(1, { type: 'tool_execution_end', callId: 'd', tool: 'read', isError: true, text: '' });
  expect(screen.text().split('\n')).toEqual([
    'turn 1',
    '  » why?',
    '  → grep pool shop.log',
    '  ✓ grep pool shop.log · pool exhausted',
    '  ✗ read · no output',
    '',
  ]);
});

test.each([
  [80, [/^ {2}→ grep pool shop\.log$/, /^ {2}✓ grep pool shop\.log · 1\.5 s · x{40,}…$/]],
  [200, [/^ {2}→ grep pool shop\.log$/, /^ {2}✓ grep pool shop\.log · 1\.5 s · x{160,}…$/]],
  [44, [/^ {2}→ grep pool shop\.log$/, /^ {2}✓ grep pool shop\.log · 1\.5 s$/, /^ {4}x{30,}…$/]],
])('a preview is as wide as a terminal of %i columns, and a call has its time', (width, lines) => {
  const screen = createScreen(0, { width, times: true });
  const call = { callId: 'c', tool: 'grep' };
  screen.show(
    1,
    { type: 'tool_execution_start', ...call, rawArgs: '{}', summary: 'grep pool shop.log' },
    500,
  );
  screen.show(1, { type: 'tool_execution_end', ...call, isError: false, text: 'x'.repeat(500) }, 2_000);
  screen.show(1, { type: 'message_start', role: 'assistant', messageSeq: 2 }, 2_000);
  screen.show(1, { type: 'message_end', role: 'assistant', messageSeq: 2, text: 'It was the pool.' }, 5_200);
  const rows = screen.text().split('\n');
  expect(rows).toEqual([
    ...lines.map((line) => expect.stringMatching(line)),
    '  │ It was the pool.',
    '  · model 3.2 s',
    '',
  ]);
  expect(Math.max(...rows.map((row) => widthOf(row)))).toBe(width);
});

test('a preview of wide characters is one row, and the name of a tool has no control characters', () => {
  const screen = createScreen(0, { width: 60 });
  const call = { callId: 'c', tool: '\u001b[2Jgrep\u0007', isError: false };
  screen.show(1, { type: 'tool_execution_end', ...call, text: '漢字'.repeat(100) });
  expect(screen.text()).toMatch(/^ {2}✓ \\u\{1B\}\[2Jgrep\\u\{7\} · [漢字]+…\n$/);
});

test('the result of a delegation is a line for each answer, and no JSON', () => {
  const screen = createScreen(0, { width: 60 });
  const text = `[{"agent":"metrics","result":"48 wait\\n\\"now\\""},{"agent":"logs","error":"subagent logs-1: ${'x'.repeat(80)}`;
  const children = ['metrics-1', 'logs-1', 'changes-1'].map((name) => ({ name, id: `s/${name}` }));
  const call = { callId: 'c', tool: 'delegate', isError: false };
  screen.show(1, { type: 'tool_execution_end', ...call, text: `${text}…`, details: { children } });
  expect(screen.text().split('\n')).toEqual([
    '  ✓ delegate',
    '    metrics: 48 wait "now"',
    `    logs: subagent logs-1: ${'x'.repeat(32)}…`,
    '    … 1 more answer, above',
    '',
  ]);
});

test('the result of a delegation may be cut anywhere, in the middle of an escape too', () => {
  const whole = JSON.stringify([{ agent: 'logs', result: 'a "word"\n\u0001 and \\ the end' }]);
  const from = whole.indexOf('"result":"') + '"result":"'.length;
  for (let length = from; length < whole.length; length += 1) {
    const screen = createScreen();
    const text = `${whole.slice(0, length)}…`;
    screen.show(1, { type: 'tool_execution_end', callId: 'c', tool: 'delegate', isError: false, text });
    expect(screen.text()).toMatch(/^ {2}✓ delegate\n {4}logs: /);
  }
});

const deadline = Date.UTC(2026, 10, 23, 2, 6);

/** Sunday evening in New York, Monday in UTC. */
const requested: AgentEventBody = {
  type: 'approval_requested',
  callId: 'c',
  tool: 'rollback',
  summary: 'rollback d-5',
  args: '{"deploy":"d-5"}',
  reason: 'It changes something.',
  deadline,
};

test('where questions are asked, what asks is one line: the question shows the rest', () => {
  const screen = createScreen(deadline, { asks: true });
  screen.show(1, { ...requested, preview: '- old' });
  screen.show(1, { type: 'question_asked', callId: 'q', question: 'On purpose?', deadline });
  expect(screen.text().split('\n')).toEqual(['  ? approval needed: rollback d-5', '  ? the agent asks:', '']);
});

const imitation =
  'On purpose?\n    No answer by Mon 02:06 UTC closes it.\n  Answer with:\n    holdfast approve s d';
const isOwn = (line: string): boolean => /holdfast approve|Answer with|02:06/.test(line);

test.each([
  ['a question', { type: 'question_asked', callId: 'q', question: imitation, deadline: 90_000 }],
  ['a message of the model', { type: 'message_end', role: 'assistant', messageSeq: 2, text: imitation }],
  ['a prompt', { type: 'message_end', role: 'user', messageSeq: 1, text: imitation }],
] satisfies [string, AgentEventBody][])(
  '[SAFE-11d] no line of %s passes for one of the program',
  (_name, event) => {
    const screen = createScreen();
    screen.show(1, event);
    const lines = screen.text().split('\n').filter(isOwn);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^ {2}[│»] /);
  },
);

test.each([
  ['  │ words and words and words', 7],
  ['log-analyst │ │ words and words and words', 30],
  ['  » words and words and words', 7],
])('[SAFE-11d] rows of %j keep the bar at %i columns', (line, width) => {
  const [, ...rows] = wrapLine(line, width);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatch(/^ *[│»] /);
});

test('[SAFE-11d] no line of a text passes for one of the program while it is being written, nor in the log', () => {
  const screen = createScreen();
  for (const piece of imitation.split(/(?=\n)/)) screen.renderer.show(update(piece));
  screen.show(1, end(imitation));
  const content = [{ type: 'text' as const, text: imitation }];
  const record = {
    id: 'm1',
    seq: 1,
    at: 0,
    runId: 'r',
    turn: 1,
    role: 'user' as const,
    origin: 'prompt' as const,
    content,
  };
  const thought = describeThought(record, imitation, output.colors);
  const lines = [screen.text(), describeRecord(record, output.colors), thought]
    .join('\n')
    .split('\n')
    .filter(isOwn);
  expect(lines).toHaveLength(9);
  for (const line of lines) expect(line).toMatch(/^ {2}│ /);
});

test('[CLI-06d] a question and its answer have a line each, and the call that asked has none', () => {
  const screen = createScreen();
  const call = { callId: 'q', tool: 'ask_human', summary: 'ask_human On purpose?' };
  screen.show(1, { type: 'tool_execution_start', ...call, rawArgs: '{}' });
  screen.show(1, { type: 'question_asked', callId: 'q', question: 'On purpose?', deadline });
  screen.show(1, { type: 'question_answered', callId: 'q', actor: 'kim', text: 'no' });
  screen.show(1, { type: 'tool_execution_end', ...call, isError: false, text: 'no' });
  expect(screen.text().match(/On purpose/g)).toHaveLength(1);
  expect(screen.text()).toMatch(/ {2}answered by kim: no\n$/);
});

test('[CLI-06b] a result of several lines is shown by their number and size, and a failure by its words', () => {
  const screen = createScreen();
  const end = { type: 'tool_execution_end', callId: 'c', tool: 'sql' } as const;
  screen.show(1, { ...end, isError: false, text: 'id | name\n', size: { lines: 9, bytes: 1_240 } });
  screen.show(1, { ...end, isError: true, text: 'no such table\nat line 1', size: { lines: 2, bytes: 23 } });
  expect(screen.text()).toBe('  ✓ sql · 9 lines, 1.2 kB\n  ✗ sql · no such table at line 1\n');
});

test('[MODE-09a] a call that needs approval comes with its arguments and its deadline', () => {
  const screen = createScreen(deadline - 86_280_000);
  screen.show(1, requested);
  const [first, second, third] = screen.text().split('\n');
  expect([first, second]).toEqual([
    '  ? approval needed: rollback d-5 (It changes something.)',
    '    rollback {"deploy":"d-5"}',
  ]);
  expect(third).toMatch(/^    No answer by \w{3} \d\d:\d\d \S+: it does not run\.$/);
});

test('[MODE-09a] [MODE-11a] what people are asked and say is a line each; what waits too long rings the bell of a terminal', () => {
  const screen = createScreen();
  screen.show(1, { ...requested, preview: '- old\n+ new' });
  screen.show(1, {
    type: 'wait_escalated',
    callId: 'c',
    waitsFor: 'approval',
    summary: 'rollback d-5',
    requestedAt: -90_000,
    deadline: 90_000,
  });
  screen.show(1, {
    type: 'approval_resolved',
    callId: 'c',
    approved: true,
    actor: 'kim',
    allowance: 'allowance-1',
    remember: 'call',
  });
  screen.show(1, {
    type: 'approval_resolved',
    callId: 'd',
    approved: true,
    actor: 'kim',
    allowance: 'allowance-1',
  });
  screen.show(1, { type: 'allowance_forgotten', allowance: 'allowance-1', tool: 'rollback', actor: 'lee' });
  screen.show(1, {
    type: 'question_asked',
    callId: 'q',
    question: 'On\npurpose?\u001b[2J',
    options: ['yes', 'no'],
    deadline: 90_000,
  });
  screen.show(1, { type: 'question_answered', callId: 'q', actor: 'kim', text: 'no' });
  screen.show(1, { type: 'question_answered', callId: 'r', actor: 'timer' });
  const [, ...lines] = screen.text().split('\n');
  expect(lines).toEqual([
    '    rollback {"deploy":"d-5"}',
    '    | - old',
    '    | + new',
    expect.stringMatching(/^ {4}No answer by .*: it does not run\.$/),
    '  ! approval escalated, no answer for 1 min 30 s: rollback d-5',
    '\u0007  approved by kim (remembered for this call: allowance-1)',
    '  approved by kim (by allowance-1)',
    '  allowance-1 (rollback) was taken back by lee',
    '  ? the agent asks:',
    '  │ On',
    String.raw`  │ purpose?\u{1B}[2J`,
    '    1) yes',
    '    2) no',
    expect.stringMatching(/^ {4}No answer by .* closes it\.$/),
    '  answered by kim: no',
    '  no answer (timer)',
    '',
  ]);
});

test('live view, show and list tell times of the zone they run in, by name', async () => {
  const render = (file: string): string =>
    pathToFileURL(resolve(import.meta.dirname, '../../src/cli/render', file)).href;
  const script = `
    import { noColors } from ${JSON.stringify(render('../colors.ts'))};
    import { describeEvent } from ${JSON.stringify(render('describe-event.ts'))};
    import { describeWait, describeWhole } from ${JSON.stringify(render('describe-waiting.ts'))};
    const now = ${deadline - 86_280_000};
    const event = { seq: 1, at: now, ...${JSON.stringify(requested)} };
    const context = { colors: noColors, sessionId: 's', calls: new Map(), place: {}, now: () => now };
    const pending = { ...event, id: 'c', turn: 1, effect: 'once', requestedAt: now };
    console.log([describeEvent(event, context), describeWait(pending, now), describeWhole(pending, now)].join('\\n'));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, TZ: 'America/New_York' },
  });
  expect(stdout.match(/(in 23 h 58 min,|No answer by) Sun 21:06 EST/g)).toHaveLength(3);
  expect(stdout).not.toContain('Mon');
  expect(stdout).not.toContain('2026-11-23');
});

test('what an operator has to mend comes with the command that goes on', () => {
  const screen = createScreen();
  screen.show(1, { type: 'warning', code: 'Model.Auth', message: 'invalid key' });
  screen.show(1, { type: 'warning', code: 'Loop.Repeats', message: 'the same call again' });
  expect(screen.text().split('\n')).toEqual([
    '  ! invalid key',
    '    Waiting for you: fix the problem, then run "holdfast resume s", or "holdfast abort s".',
    '  ! the same call again',
    '',
  ]);
});

test('live text is shown as it comes, and not again when its message ends', () => {
  const screen = createScreen();
  screen.show(1, { type: 'turn_start' });
  for (const piece of ['I look ', 'around.']) screen.renderer.show(update(piece));
  screen.show(1, end('I look around.'));
  screen.show(2, { type: 'turn_start' });
  expect(screen.text()).toBe('turn 1\n  │ I look around.\nturn 2\n');
});

test('the end of a message shows what its live text lacked, and only that', () => {
  const screen = createScreen();
  screen.renderer.show(update('The pool was'));
  screen.show(1, end('The pool was too small.'));
  expect(screen.text()).toBe('  │ The pool was too small.\n');
  const cut = createScreen();
  cut.renderer.show(update('A long text that its event does not hold whole.'));
  cut.show(1, end('A long text … (cut)'));
  expect(cut.text()).toBe('  │ A long text that its event does not hold whole.\n');
});

test('a line between the pieces of a message does not show it twice', () => {
  const screen = createScreen();
  screen.renderer.show(update('The pool was '));
  screen.show(1, { type: 'queue_update', queue: 'steering', action: 'enqueued', ids: ['s1'] });
  screen.renderer.show(update('too '));
  screen.show(1, end('The pool was too small.'));
  expect(screen.text()).toBe('  │ The pool was \n  » steering enqueued\n  │ too small.\n');
  const ended = createScreen();
  ended.renderer.show(update('All of it.'));
  ended.renderer.warn('a warning');
  ended.show(1, end('All of it.'));
  expect(ended.text()).toBe('  │ All of it.\n  ! a warning\n');
});

test('[EVENT-10b] a repeated attempt starts its text over', () => {
  const { renderer, text } = createScreen();
  [update('half a'), reset(2), update('whole', 2)].forEach((heard) => renderer.show(heard));
  renderer.close();
  expect(text()).toBe('  │ half a\n  (again)\n  │ whole\n');
});

test('text of which the heartbeats missed a stretch continues with a mark', () => {
  const { renderer, text } = createScreen();
  [update('The pool'), reset(1), update('since 14:03.')].forEach((heard) => renderer.show(heard));
  renderer.close();
  expect(text()).toBe('  │ The pool … since 14:03.\n');
});

test('[SAFE-06] what a model or a tool writes cannot steer the terminal', () => {
  expect(toPlain('a\u001b[2Jb\u001b]0;title\u0007c\rd\ne\tf\u202eg')).toBe(
    'a\\u{1B}[2Jb\\u{1B}]0;title\\u{7}c\nd\ne\tf\\u{202E}g',
  );
  expect(toLine(`${'x'.repeat(120)}\n`, 10)).toBe('xxxxxxxxx…');
});

test('[SAFE-11b] --json has as escapes of JSON what hides or turns text: programs read it as it was', () => {
  let written = '';
  const stdout = { write: (text: string) => void (written += text) };
  const value = { task: 'go\u202e to\u200b p\u0430yments', at: 12, storedAt: new Date(0) };
  createOutput({ stdout, environment: {} } as unknown as Cli, { json: true }).emit(value);
  expect(written).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(written)).toEqual({ ...value, storedAt: '1970-01-01T00:00:00.000Z' });
});

test('figures are short', () => {
  expect([950, 1_234, 41_200, 250_000, 3_100_000].map(toCount)).toEqual([
    '950',
    '1.2k',
    '41k',
    '250k',
    '3.1M',
  ]);
  expect([0, 0.00312, 1.2].map(toCost)).toEqual(['$0.00', '$0.0031', '$1.20']);
  expect([400, 12_300, 200_000, 7_500_000].map(toDuration)).toEqual([
    '0.4 s',
    '12 s',
    '3 min 20 s',
    '2 h 5 min',
  ]);
});

function resultWith(part: Partial<RunResult>): RunResult {
  // oxfmt-ignore
  return {
    runId: 'r', status: 'completed', answer: 'It was the pool.', content: '', thoughts: noThoughts,
    newMessages: { fromSeq: 1, toSeq: 2 }, usage: { main: { ...noUsage, input: 1_000, output: 20 } },
    costUsd: 0.01, turns: 3, toolCalls: 4, condenses: 0, startedAt: 0, endedAt: 5_000,
    ...part,
  };
}

const report = {
  artifactId: 'report',
  grade: 'confirmed',
  quotes: 7,
  verifiedQuotes: 7,
  claims: 3,
  verifiedClaims: 3,
} as const;

test('a preview that is cut names the command that shows it, with the session', () => {
  const text = showAsked(14);
  expect(text).toMatch(/\| … 2 more lines: "holdfast approvals s --whole" shows all\n/);
});

test('[CLI-30d] no single line is cut from a preview: the notice would take its place', () => {
  const text = showAsked(13);
  expect(text).toContain('| line 12\n');
  expect(text).not.toContain('more line');
});

/** The text of a question whose preview has so many lines. */
function showAsked(length: number): string {
  const preview = Array.from({ length }, (_, index) => `line ${index}`).join('\n');
  const request = {
    type: 'approval_requested' as const,
    callId: 'c',
    tool: 'rollback',
    effect: 'once' as const,
    args: '{}',
    argsDigest: 'd',
    summary: 'rollback',
    preview,
    deadline: 60_000,
  };
  const screen = createScreen();
  screen.show(1, request);
  return screen.text();
}

test('[CLI-01b] commands of a report that is shown begin as this program was started; those of a quote stay', () => {
  rememberPlace({ TEMPORAL_ADDRESS: '127.0.0.1:7' });
  onTestFinished(() => rememberPlace({}));
  const markdown = '     More: `holdfast output s c1 --line 3`\n     > 3 More: `holdfast output s c1`\n';
  const shown = describeResult(resultWith({}), output.colors, { report: markdown });
  expect(shown).toContain('More: `TEMPORAL_ADDRESS=127.0.0.1:7 holdfast output s c1 --line 3`');
  expect(shown).toContain('> 3 More: `holdfast output s c1`');
});

test('[STATE-14b] turns and cost of a session at work are not those of its last wait', () => {
  const listing = {
    sessionId: 's',
    runId: 'r',
    task: 't',
    taskQueue: 'q',
    status: 'RUNNING' as const,
    startedAt: 0,
    turns: 0,
    agentStatus: 'running' as const,
  };
  expect(describeListing(listing, output.colors)).not.toContain('turn ');
  const waits = { ...listing, agentStatus: 'waiting' as const, turns: 3 };
  expect(describeListing(waits, output.colors)).toContain('turn     3 turns, ');
});

test('[REPORT-06b] [REPORT-18c] the end says which quotes were found, whose the grade is, and what it cost', () => {
  const result = resultWith({ report });
  expect(describeResult(result, output.colors)).toBe(
    'completed\n\nIt was the pool.\n\n7/7 quotes found, 3/3 claims, grade confirmed (agent: confirmed)',
  );
  expect(describeResult(result, output.colors, { report: '# Report\n' })).toContain(
    'It was the pool.\n\n# Report\n\n7/7',
  );
  expect(describeFigures(result, { events: 120, bytes: 64_000 })).toBe(
    '3 turns · 4 tool calls · 1.0k tokens in, 20 out · $0.010 · 5.0 s · history 120 events, 63 KiB',
  );
});

test('[LOOP-44b] figures that no server has counted are said to be estimates', () => {
  const main = { input: 900, cacheRead: 0, cacheWrite: 0, output: 20, estimated: true as const };
  expect(describeFigures(resultWith({ usage: { main } }))).toContain('900 tokens in, 20 out (estimated)');
});

test('[COND-16f] the figures of a result name condenses that failed', () => {
  expect(describeFigures(resultWith({}))).not.toContain('condense');
  expect(describeFigures(resultWith({ failedCondenses: 2 }))).toContain(' · 2 failed condenses');
});

test('[QUEUE-20b] of a message that no run has read only the id is told where no worker knows more', () => {
  const known = { id: 'm1', queue: 'followUp', text: 'And the cache?' } as const;
  expect(describeQueued(known)).toBe('  follow-up  m1  And the cache?');
  expect(describeQueued({ id: 'm1' })).toBe(
    '  message    m1  (a worker, or the subagent that it was for, knows its words)',
  );
});

test('[COND-16g] the end of a condense that has folded nothing is not told as one that has', () => {
  const screen = createScreen();
  const ended = { type: 'condense_end', kept: 4 } as const;
  screen.show(5, { ...ended, tokensBefore: 1_500, tokensAfter: 1_500 });
  expect(screen.text()).toContain('not condensed: the view stays as it was');
  screen.show(6, { ...ended, tokensBefore: 1_510, tokensAfter: 1_490 });
  expect(screen.text()).toContain('condensed from 1.5k to 1.5k tokens');
});

test('[COND-16h] what happens to the window is told: no condense is left, long texts are cut, older messages are dropped', () => {
  const screen = createScreen();
  screen.show(5, { type: 'context_warning', message: 'The older messages have left the view.' });
  expect(screen.text()).toContain('  ! The older messages have left the view.');
});

test('[REPORT-26a] the end says that no fault was found', () => {
  const calm = { ...report, grade: 'likely', agentGrade: 'confirmed', noFault: true } as const;
  expect(describeResult(resultWith({ report: calm }), output.colors)).toContain(
    'grade no fault found (agent: confirmed)',
  );
});

test('what is shown of a run that has ended has its plan, and what it told the agent above it', () => {
  const step = { id: '1', text: 'Look', criterion: 'seen', status: 'done', note: 'it is 2' } as const;
  const completion = { status: 'failed', summary: '', caveats: 'The log was rotated away.' } as const;
  const plan = { runId: 'run-1', steps: [{ ...step, dependsOn: [], verify: true as const }] };
  expect(describeResult(resultWith({ answer: '', plan, completion }), output.colors)).toBe(
    'completed\n\nplan     1/1\n  1 [x] Look (verifies) - it is 2\n\ntask failed\nThe log was rotated away.',
  );
});

test.each([
  [{}, 0],
  [{ report }, 0],
  [{ report: { ...report, verifiedClaims: 2, verifiedQuotes: 6 } }, 13],
  [{ cause: 'no_report', report: { ...report, byCode: true } }, 14],
  [{ status: 'failed' }, 10],
  [{ status: 'aborted' }, 11],
  [{ status: 'max_iterations' }, 12],
  [{ status: 'budget_exceeded' }, 12],
] as const)('[LOOP-34c] the exit code of %j is %i', (part, code) => {
  expect(exitCodeOf(resultWith(part))).toBe(code);
});

test('[WORD-04] a completed run whose report has no claim is no success', () => {
  const empty = { ...report, quotes: 0, verifiedQuotes: 0, claims: 0, verifiedClaims: 0 };
  expect(exitCodeOf(resultWith({ report: empty }))).toBe(13);
  expect(exitCodeOf(resultWith({ report: { ...empty, quotes: 1, verifiedQuotes: 1 } }))).toBe(13);
  expect(exitCodeOf(resultWith({ report: { ...empty, claims: 1, verifiedClaims: 1 } }))).toBe(0);
});

test('[LOOP-34c] words without a report are marked in what is shown of a run and in a list', () => {
  expect(describeResult(resultWith({ cause: 'no_report' }), output.colors)).toMatch(
    /^completed \(no_report\): The run completed without a report of the agent\. Its words were not checked\./,
  );
  const place = { sessionId: 's', task: 'Why?', startedAt: 0, taskQueue: 'q' };
  const listing = { ...place, status: 'COMPLETED', outcome: 'completed', cause: 'no_report' } as const;
  expect(stateOf(listing)).toBe('completed/no_report');
  expect(stateOf({ ...listing, status: 'RUNNING', agentStatus: 'idle' })).toBe(
    'idle, last run completed/no_report',
  );
});

test('[LOOP-38d] a cut answer is marked in what is shown of a run', () => {
  expect(describeResult(resultWith({ answerCut: true }), output.colors)).toMatch(
    /^completed: The answer was cut by the output limit/,
  );
});

test('[EVENT-01b] a change of the plan is one line: how far it is, and the step that was marked', () => {
  const screen = createScreen();
  const plan = { type: 'plan_update', done: 1, total: 3, text: '1 [x] Look' } as const;
  screen.show(1, { ...plan, done: 0 });
  screen.show(1, { ...plan, step: { id: '1', text: 'Look at the pool', status: 'done', note: 'it is 2' } });
  screen.show(1, { ...plan, step: { id: '2', text: 'Ask', status: 'in_progress' } });
  expect(screen.text()).toBe(
    [
      '  ☰ plan of 3 steps, 0 done',
      '  ☰ plan 1/3: 1 Look at the pool: done · it is 2',
      '  ☰ plan 1/3: 2 Ask: in progress',
      '',
    ].join('\n'),
  );
});

test('[HYP-02c] a change of the hypotheses is one line', () => {
  const screen = createScreen();
  screen.show(1, {
    type: 'hypotheses_update',
    hypotheses: 2,
    predictions: 3,
    tested: 1,
    text: 'h1 [tested]',
  });
  expect(screen.text()).toBe('  ☰ hypotheses 2, 1 of 3 predictions tested\n');
});

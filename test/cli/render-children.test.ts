// What people see of subagents: their lines beside those of the session above, and the tree.
import { noColors } from '../../src/cli/colors.ts';
import { expect, test } from 'vitest';
import type { Heard, SessionTree } from '../../src/client.ts';
import { describeTree } from '../../src/cli/render/describe-tree.ts';
import { createSessionRenderer } from '../../src/cli/render/session-renderer.ts';
import type { AgentEventBody } from '@holdfast/vocabulary/events';

const output = { terminal: true, colors: noColors };

const name = 'log-analyst-pool-1';
const tags = {
  agent: 'log-analyst',
  name,
  childId: `s/${name}`,
  prefix: '🤖',
  parent: '',
  depth: 1,
  path: name,
};
const begun = {
  ...tags,
  callId: 'd',
  task: 'Search the log of the pool for every error since 14:00, and say which came first.',
};

function show(...heard: Heard[]): string[] {
  let shown = '';
  const renderer = createSessionRenderer(output, 's', {
    write: (text) => void (shown += text),
    ring: () => void (shown += '\u0007'),
  });
  for (const event of heard) renderer.show(event);
  return shown.trimEnd().split('\n');
}

function ofChild(body: AgentEventBody): Heard {
  return { seq: 1, at: 0, runId: 'r', turn: 1, ...body, ...tags, sessionId: `s/${name}` };
}

const call = (callId: string, tool: string): AgentEventBody => ({
  type: 'tool_execution_start',
  callId,
  tool,
  rawArgs: '{}',
  summary: `${tool} pool.log`,
});

test('[EVENT-13c] the lines of a subagent begin with its name and fit a screen of 80 columns', () => {
  const long = `The pool ran out at 14:03. ${'And so on. '.repeat(30)}\nAnother line.`;
  const lines = show(
    { seq: 1, at: 0, type: 'subagent_start', ...begun },
    ofChild({ type: 'turn_start' }),
    ofChild({ type: 'message_end', role: 'user', messageSeq: 1, text: 'the task again' }),
    ofChild(call('c', 'grep')),
    ofChild({
      type: 'tool_execution_end',
      callId: 'c',
      tool: 'grep',
      isError: false,
      text: 'long output '.repeat(20),
    }),
    ofChild({ type: 'message_end', role: 'assistant', messageSeq: 2, text: long }),
    { seq: 2, at: 0, type: 'subagent_end', ...begun, status: 'completed', isError: false, costUsd: 0.0031 },
  );
  expect(lines).toEqual([
    expect.stringMatching(/^ {2}🤖 log-analyst-pool-1: Search the log of the pool for every error .*…$/),
    '  log-analyst-pool-1 │ → grep pool.log',
    expect.stringMatching(/^ {2}log-analyst-pool-1 │ ✓ grep pool.log · long output .*…$/),
    expect.stringMatching(/^ {2}log-analyst-pool-1 │ The pool ran out at 14:03. And so on. .*…$/),
    '  🤖 log-analyst-pool-1 completed · log-analyst · $0.0031',
  ]);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

test('[EVENT-13c] equal call ids of two sessions are not mixed up, and what a person has to read is whole', () => {
  const args = `{"statement":"${'x'.repeat(120)}"}`;
  const lines = show(
    { seq: 1, at: 0, ...call('c', 'delegate') },
    ofChild(call('c', 'change')),
    ofChild({
      type: 'approval_requested',
      callId: 'c',
      tool: 'change',
      summary: 'change it',
      args,
      deadline: 0,
    }),
    {
      seq: 2,
      at: 0,
      type: 'tool_execution_end',
      callId: 'c',
      tool: 'delegate',
      isError: false,
      text: 'done',
    },
    ofChild({ type: 'tool_execution_end', callId: 'c', tool: 'change', isError: true, text: 'denied' }),
  );
  expect(lines.filter((line) => line.includes(args))).toEqual([`  ${name} │   change ${args}`]);
  expect(lines).toContain('  ✓ delegate pool.log · done');
  expect(lines).toContain(`  ${name} │ ✗ change pool.log · denied`);
});

test('[EVENT-13c] the reply of a subagent is not written into that of the session above', () => {
  const update = { runId: 'r', turn: 1, messageSeq: 2, attempt: 1, seq: 2 };
  const lines = show(
    { type: 'message_update', ...update, delta: { type: 'text', text: 'I ask ' } },
    {
      type: 'message_update',
      ...update,
      delta: { type: 'text', text: 'NOT THIS' },
      ...tags,
      sessionId: tags.childId,
    },
    { type: 'message_update', ...update, delta: { type: 'text', text: 'two others.' } },
  );
  expect(lines).toEqual(['  │ I ask two others.']);
});

const node = { agent: 'log-analyst', prefix: '🤖', usage: {}, children: [] };

test('the tree has state, waits and cost of each, whole at 80 columns', () => {
  const tree: SessionTree = {
    ...node,
    sessionId: 's',
    name: 'investigator',
    agent: 'investigator',
    depth: 0,
    task: 'Checkout is slow.',
    state: 'executing',
    turns: 4,
    costUsd: 0.12,
    waitingFor: 'approval',
    waitingReason: 'fixer-pool-1',
    children: [
      {
        ...node,
        sessionId: 's/a',
        name,
        depth: 1,
        task: begun.task,
        state: 'ended',
        status: 'completed',
        turns: 3,
        costUsd: 0.0031,
      },
      {
        ...node,
        sessionId: 's/b',
        name: 'triage-db-1',
        depth: 1,
        task: 'Look at the db.',
        state: 'executing',
        turns: 1,
        costUsd: 0,
        children: [
          {
            ...node,
            sessionId: 's/b/c',
            name: 'fixer-pool-1',
            depth: 2,
            task: 'Fix it.',
            state: 'ended',
            status: 'failed',
            costUsd: 0.5,
          },
        ],
      },
    ],
  };
  const text = describeTree(tree, output.colors);
  expect(text.split('\n')).toEqual([
    '🤖 investigator  waiting for approval (fixer-pool-1) · 4 turns · $0.12',
    '│ Checkout is slow.',
    '├─ 🤖 log-analyst-pool-1  completed · 3 turns · $0.0031',
    expect.stringMatching(
      /^│ {4}Search the log of the pool for every error since 14:00, and say which came…$/,
    ),
    '└─ 🤖 triage-db-1  executing · 1 turn · $0.00',
    '   │ Look at the db.',
    '   └─ 🤖 fixer-pool-1  failed · $0.50',
    '        Fix it.',
  ]);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('a subagent that says that its task has failed is not shown as done', () => {
  const [line] = show({
    seq: 1,
    at: 0,
    type: 'subagent_end',
    ...begun,
    status: 'completed',
    completion: 'failed',
    isError: false,
    costUsd: 0,
  });
  expect(line).toContain(`${name} ended, task failed`);
});

// The example of a tracker of one's own, over a server that answers as GitHub's API of issues does.
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GitHubIssues } from '../../examples/own-task-board/github-issues.ts';
import type { OwnTaskBoard } from '../../src/config/define-config.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';
import { testAgent } from '../../src/testing.ts';
import { startReceiver } from '../support/receiver.ts';

const example = resolve(import.meta.dirname, '../../examples/own-task-board');

/** Issues 7 and 8 of one repository, and what was asked of them. */
async function gitHub() {
  const issues: Record<string, { state: string; comments: string[] }> = {
    '7': { state: 'open', comments: [] },
    '8': { state: 'open', comments: ['Claimed by `other/analyst-1`.'] },
  };
  const tokens = new Set<string | undefined>();
  const { url } = await startReceiver((_, { headers, method, path, body }) => {
    tokens.add(headers.authorization);
    const [, id = '', comments] = /^\/repos\/shop\/incidents\/issues\/(\d+)(\/comments)?/.exec(path) ?? [];
    const issue = issues[id];
    if (!issue) return { status: 404, body: '{"message":"Not Found"}' };
    const given = body === '' ? {} : (JSON.parse(body) as { body?: string; state?: string });
    if (method === 'POST') issue.comments.push(given.body ?? '');
    if (method === 'PATCH') issue.state = given.state ?? issue.state;
    const content = comments ? issue.comments.map((text) => ({ body: text })) : { state: issue.state };
    return { status: 200, body: JSON.stringify(content) };
  });
  return { url, issues, tokens };
}

test('[SUB-17ab] subagents claim and close issues; one that another has fails at once', async () => {
  const { url, issues, tokens } = await gitHub();
  const before = { ...process.env };
  Object.assign(process.env, {
    GITHUB_API_URL: url,
    GITHUB_REPOSITORY: 'shop/incidents',
    GITHUB_TOKEN: 'token-1',
  });
  onTestFinished(() => void (process.env = before));
  const { result } = await testAgent({
    config: join(example, 'holdfast.config.ts'),
    script: await loadModelScript(join(example, 'script.yaml')),
    input: { agent: 'lead' },
    prompt: 'Work on issues 7 and 8.',
  });
  expect(result.answer).toBe(
    'One deploy at 14:02. Of the other: subagent analyst-call-2: Issue 8 is claimed by other/analyst-1.',
  );
  expect(issues['7']).toEqual({
    state: 'closed',
    comments: ['Claimed by `test/analyst-deploys-1`.', 'Completed by `test/analyst-deploys-1`.'],
  });
  expect(issues['8']).toEqual({ state: 'open', comments: ['Claimed by `other/analyst-1`.'] });
  expect([...tokens]).toEqual(['Bearer token-1']);
});

test('[SUB-17c] a change that is made again is made once; a task that was given back may be claimed', async () => {
  const { url, issues } = await gitHub();
  const board = new GitHubIssues({ repository: 'shop/incidents', token: () => 't', api: url });
  expect(await board.claim('7', 'a')).toBeUndefined();
  expect(await board.claim('7', 'a')).toBeUndefined();
  expect(await board.claim('7', 'b')).toBe('Issue 7 is claimed by a.');
  await board.release('7', 'b');
  await board.release('7', 'a');
  await board.release('7', 'a');
  expect(await board.claim('7', 'b')).toBeUndefined();
  await board.setStatus('7', { status: 'failed', by: 'b', notes: 'no access' });
  expect(await board.claim('7', 'c')).toBeUndefined();
  expect(issues['7']?.comments).toEqual([
    'Claimed by `a`.',
    'Released by `a`.',
    'Claimed by `b`.',
    'Failed by `b`. no access',
    'Claimed by `c`.',
  ]);
  await expect(board.claim('9', 'a')).rejects.toThrow('GitHub answered 404');
});

test('[SUB-17d] a tracker that is down is asked three times: a claim is refused then, and another change is a warning', async () => {
  const asked: string[] = [];
  const down = (what: string) => () => {
    asked.push(what);
    return Promise.reject(new Error('the tracker is down'));
  };
  const delegating = (id: string) => ({
    calls: [
      { tool: 'delegate', args: { tasks: [{ agent: 'analyst', task: 'Look.', context: '', task_id: id }] } },
    ],
  });
  const run = (board: Partial<OwnTaskBoard>) =>
    testAgent({
      config: {
        taskBoards: {
          tracker: { claim: down('claim'), setStatus: down('setStatus'), release: down('release'), ...board },
        },
        agents: {
          lead: {
            instructions: 'Lead.',
            tools: [],
            delegation: { agents: ['analyst'], taskBoard: 'tracker' },
          },
          analyst: { description: 'Looks.', instructions: 'Look.', tools: [] },
        },
      },
      script: {
        name: 'down',
        steps: [
          { id: 'share', ...delegating('7') },
          { id: 'answer', text: 'done' },
        ],
        ...(board.claim && { parts: { analyst: { name: 'analyst', steps: [{ id: 'say', text: 'seen' }] } } }),
      },
      input: { agent: 'lead' },
      prompt: 'Go.',
    });
  const refused = await run({});
  expect(textOf(refused.messages[2] ?? { role: 'custom', kind: '', data: null })).toContain(
    'the tracker is down',
  );
  expect(asked.filter((what) => what === 'claim')).toHaveLength(3);
  const warned = await run({ claim: () => Promise.resolve() });
  const [told] = JSON.parse(textOf(warned.messages[2] ?? { role: 'custom', kind: '', data: null }));
  expect(told).toMatchObject({ result: 'seen', warning: expect.stringContaining('the tracker is down') });
  expect(asked.filter((what) => what === 'setStatus')).toHaveLength(3);
});

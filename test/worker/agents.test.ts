// Agents in files and in the config that change while a worker runs: which runs have which definition, and how mistakes are reported.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { AssembleContextInput } from '@holdfast/vocabulary/activity-contracts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { composeActivities } from '../../src/worker/compose-activities.ts';
import { assembleOn, callOn } from '../support/composed-worker.ts';
import { skillFile } from '../support/skill-folders.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

/** An agent file with these instructions. */
const agent = (instructions: string, fields = '') => `---\ntools: []\n${fields}\n---\n${instructions}`;

type Start = Partial<Omit<AssembleContextInput, 'input'>> & { input?: SessionInput };

/** A worker of a folder whose agent files the test writes. */
async function workerOf(files: Record<string, string>, config: object = {}) {
  const cwd = await temporaryFolder();
  const folder = join(cwd, 'agents');
  const log: string[] = [];
  const write = async (changed: Record<string, string>): Promise<void> => {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(changed)) await writeFile(join(folder, `${name}.md`), text);
  };
  const configFile = join(cwd, 'holdfast.config.json');
  const configure = (changed: object) =>
    writeFile(configFile, JSON.stringify({ model: 'openai:x', ...changed }));
  await configure(config);
  if (Object.keys(files).length > 0) await write(files);
  const start = async () =>
    composeActivities({
      config: await loadConfig({ cwd, environment: { OPENAI_API_KEY: 'k' } }),
      artifacts: createMemoryArtifactStore(),
      deltaBus: createDeltaBus(),
      searchAttributes: [],
      identity: 'test',
      log: (line) => log.push(line),
    });
  const [worker, second] = [await start(), await start()];
  const assemblerOf =
    ({ activities }: typeof worker) =>
    (name: string, { input = {}, ...start }: Start = {}) =>
      assembleOn(activities, { input: { ...input, agent: name }, ...start });
  const remove = (name: string) => rm(join(folder, `${name}.md`));
  const assemble = assemblerOf(worker);
  return {
    ...worker,
    write,
    configure,
    configFile,
    remove,
    assemble,
    onSecond: assemblerOf(second),
    log,
    fileOf: (name: string) => join(folder, `${name}.md`),
  };
}

/** As the loop says it for a change of a run's settings or a refresh of its prompt. */
const inTheMiddle: Start = { begun: { functions: [] } };

const rulesOf = ({ access }: FrozenContext) => access?.policy.filter((rule) => rule.agent === 'night');

const child = { sessionId: 's', name: 'b-1', depth: 1, parent: '', callId: 'c1' };
const ofParent: Start = {
  sessionId: 's/b-1',
  input: { parent: { ...child, within: { mode: 'act', budget: {} } } },
};

test('[WORKER-08a] a run that begins has an agent file as it is now; [WORKER-08b] one in progress keeps its own', async () => {
  const { assemble, write, log } = await workerOf({ night: agent('Watch the shop.') });
  const first = await assemble('night');
  expect(first.systemPrompt).toContain('Watch the shop.');
  await write({ night: agent('Watch the bank.', 'loop: { maxTurns: 3 }') });
  const others = await Promise.all(['b', 'c'].map((sessionId) => assemble('night', { sessionId })));
  for (const { systemPrompt, settings } of others) {
    expect(systemPrompt).toContain('Watch the bank.');
    expect(settings.loop.maxTurns).toBe(3);
  }
  const middle = await assemble('night', inTheMiddle);
  expect(middle.systemPrompt).toContain('Watch the shop.');
  expect(middle.settings.loop.maxTurns).toBe(25);
  const next = await assemble('night', { runId: 'run-2' });
  expect(next.systemPrompt).toContain('Watch the bank.');
  expect(log).toEqual([]);
});

test('[WORKER-08c] a file that is new is a new agent, also for an agent that delegates to it and for checkInput', async () => {
  const { assemble, write, checkInput } = await workerOf({});
  await expect(assemble('day')).rejects.toThrow('There is no agent "day"');
  await write({
    day: agent('Watch by day.'),
    lead: agent('Lead.', 'delegation: { agents: [day], maxDepth: 1 }'),
  });
  expect((await assemble('day')).systemPrompt).toContain('Watch by day.');
  expect((await assemble('lead')).agents).toEqual([{ name: 'day' }]);
  expect(() => checkInput({ prompt: 'Go.', agent: 'day' })).not.toThrow();
});

test('[WORKER-08c] it may name a skill that came with it, and have its own folder of notes, which it keeps when it is deleted', async () => {
  const { assemble, write, remove, activities, log, fileOf } = await workerOf({}, { skills: ['skills'] });
  const notes = await temporaryFolder();
  const find = () => activities.findReflections({ folder: notes, task: 'disk is full' });
  const allowed = () => new MockActivityEnvironment().run<[], string[], typeof find>(find);
  await expect(allowed()).rejects.toThrow('of notes is refused');
  const skill = join(fileOf('day'), '../../skills/disk');
  await mkdir(skill, { recursive: true });
  await writeFile(join(skill, 'SKILL.md'), skillFile('disk', 'Disks.', 'Run df.'));
  await write({ day: agent('Watch.', `skills: [disk]\ndelegation: { reflectionDir: ${notes} }`) });
  expect((await assemble('day')).skills).toMatchObject([{ name: 'disk' }]);
  expect(await allowed()).toEqual([]);
  await remove('day');
  await assemble('investigator');
  expect(await allowed()).toEqual([]);
  expect(log).toEqual([]);
});

test.each<[what: string, text: string, reason: string]>([
  [
    'an unknown field',
    agent('x', 'maxTurns: 3'),
    'night.md is no agent: front matter: unrecognized key: "maxTurns"',
  ],
  [
    'an unknown tool',
    '---\ntools: [telescope]\n---\nx',
    'night.md is no agent: There is no tool "telescope"',
  ],
  [
    'a rule for an unknown tool',
    agent('x', 'policy: [{ tool: telescope, decision: allow }]'),
    'night.md is no agent: Policy rule 1 names the tool "telescope"',
  ],
])(
  '[WORKER-08d] a file with %s keeps its former agent, with one warning in the log',
  async (_, text, reason) => {
    const { assemble, write, log, fileOf } = await workerOf({ night: agent('Watch the shop.') });
    await write({ night: text, day: agent('Watch by day.') });
    for (const sessionId of ['a', 'b'])
      expect((await assemble('night', { sessionId })).systemPrompt).toContain('Watch the shop.');
    expect((await assemble('day')).systemPrompt).toContain('Watch by day.');
    expect(log).toEqual([expect.stringContaining(reason)]);
    expect(log[0]).toContain(fileOf('night'));
    expect(log[0]).toMatch(/The worker keeps the agent as it was\.$/);
    await write({ night: agent('Watch the bank.') });
    expect((await assemble('night')).systemPrompt).toContain('Watch the bank.');
    expect(log).toHaveLength(1);
  },
);

test('[WORKER-08d] so does a second file of its name, and one of an agent of the config; a new bad file is left out', async () => {
  const inConfig = { instructions: 'From the config.', tools: [] };
  const worker = await workerOf({ night: agent('Watch.') }, { agents: { day: inConfig } });
  await worker.write({ Night: agent('x'), day: agent('x'), bad: 'x' });
  expect((await worker.assemble('night')).systemPrompt).toContain('Watch.');
  expect((await worker.assemble('day')).systemPrompt).toContain('From the config.');
  await expect(worker.assemble('bad')).rejects.toThrow('There is no agent "bad"');
  expect(worker.log).toEqual([
    expect.stringMatching(/bad\.md is no agent: .*The worker continues without it\.$/),
    expect.stringMatching(/Night\.md and .*night\.md are agents of one name.* keeps the agent as it was\.$/),
    expect.stringMatching(/Agent "day" is in .* keeps the agent as it was\.$/),
  ]);
});

test('[WORKER-08bc] a run of a new agent goes on at another worker of the folder, which has not read the file yet', async () => {
  const { assemble, onSecond, write } = await workerOf({ night: agent('Watch.') });
  await write({ day: agent('Look at the day.') });
  await assemble('day');
  expect((await onSecond('day', inTheMiddle)).systemPrompt).toContain('Look at the day.');
});

test('[WORKER-08e] a session that began after a deletion has the agent in no later run', async () => {
  const lead = agent('Lead.', "delegation: { agents: ['*'], maxDepth: 1 }");
  const { assemble, remove } = await workerOf({ lead, gone: agent('Go.') });
  await assemble('lead', { sessionId: 'before' });
  await remove('gone');
  const namesOf = async (start: Start) => (await assemble('lead', start)).agents?.map(({ name }) => name);
  for (const runId of ['run-1', 'run-2'])
    expect(await namesOf({ sessionId: 'after', runId })).not.toContain('gone');
  expect(await namesOf({ sessionId: 'before', runId: 'run-2' })).toContain('gone');
});

test('[WORKER-08d] the warning of a file that stays bad is not repeated with each change of another one', async () => {
  const { assemble, write, log } = await workerOf({ night: agent('Watch.') });
  await write({ bad: '---\ntools: [\n---\nx' });
  for (const [sessionId, words] of ['one', 'two', 'three'].entries()) {
    await write({ night: agent(words) });
    await assemble('night', { sessionId: String(sessionId) });
  }
  expect(log).toEqual([expect.stringContaining('bad.md is no agent')]);
});

test('[WORKER-08e] a deleted file has no agent for new sessions; [WORKER-08f] sessions that were there keep it, with their subagents', async () => {
  const { assemble, remove, checkInput, log } = await workerOf({ b: agent('Bee.'), c: agent('Sea.') });
  await assemble('b');
  await remove('b');
  await expect(assemble('b', { sessionId: 'new' })).rejects.toThrow('There is no agent "b"');
  expect(() => checkInput({ prompt: 'Go.', agent: 'b' })).toThrow('There is no agent "b"');
  for (const start of [inTheMiddle, { runId: 'run-2' }, ofParent])
    expect((await assemble('b', start)).systemPrompt).toContain('Bee.');
  expect(log).toEqual([]);
});

test('[WORKER-08e] an agent that another one still names stays, with a warning, until no other names it', async () => {
  const delegates = (to: string) => agent('Lead.', `delegation: { agents: [${to}], maxDepth: 1 }`);
  const { assemble, write, remove, log } = await workerOf({ lead: delegates('b'), b: agent('Bee.') });
  await remove('b');
  expect((await assemble('b')).systemPrompt).toContain('Bee.');
  expect(log).toEqual([
    expect.stringMatching(/^Deleted were b, but the agent lead needs one of them: There is no agent "b"/),
  ]);
  await write({ lead: delegates('critic') });
  await expect(assemble('b')).rejects.toThrow('There is no agent "b"');
  expect(log).toHaveLength(1);
});

test('[WORKER-08g] the rules of an agent change with its file, and those of a deleted one still judge its sessions', async () => {
  const ruled = (decision: string) =>
    agent('Watch.', `policy: [{ tool: read_artifact, decision: ${decision} }]`);
  const { assemble, write, remove, activities } = await workerOf({ night: ruled('allow') });
  const first = await assemble('night');
  const call = async () =>
    textOf((await callOn(activities, 'read_artifact', { artifact: 'none' }, first)).message);
  expect(await call()).not.toContain('Denied');
  await write({ night: ruled('deny') });
  const second = await assemble('night', { sessionId: 'other' });
  expect(rulesOf(second)).toMatchObject([{ decision: 'deny' }]);
  expect(rulesOf(first)).toMatchObject([{ decision: 'allow' }]);
  expect(await call()).toContain('Denied by policy');
  await remove('night');
  expect(rulesOf(await assemble('investigator'))).toEqual([]);
  expect(await call()).toContain('Denied by policy');
  await write({ night: ruled('allow') });
  await assemble('night');
  expect(await call()).not.toContain('Denied');
});

test('[WORKER-08d] a folder that cannot be read keeps all agents', async () => {
  const { assemble, fileOf, log } = await workerOf({ night: agent('Watch.') });
  const folder = join(fileOf('night'), '..');
  await rm(folder, { recursive: true });
  await symlink(folder, folder);
  expect((await assemble('night')).systemPrompt).toContain('Watch.');
  expect(log).toEqual([
    expect.stringMatching(/^The agent files cannot be read again: ELOOP.* keeps its agents\.$/),
  ]);
});

const inConfig = (instructions: string, fields = {}) => ({ instructions, tools: [], ...fields });

test('[WORKER-15a] agents of the config file are taken as agent files are: changed, new and deleted ones', async () => {
  const agents = { night: inConfig('Watch the shop.'), gone: inConfig('Go.') };
  const { assemble, configure, log } = await workerOf({ filed: agent('From a file.') }, { agents });
  await assemble('gone', { sessionId: 'before' });
  await assemble('night', { sessionId: 'before' });
  await configure({ agents: { night: inConfig('Watch the bank.'), day: inConfig('Watch by day.') } });
  expect((await assemble('night')).systemPrompt).toContain('Watch the bank.');
  expect((await assemble('night', { ...inTheMiddle, sessionId: 'before' })).systemPrompt).toContain('shop.');
  expect((await assemble('day')).systemPrompt).toContain('Watch by day.');
  expect((await assemble('filed')).systemPrompt).toContain('From a file.');
  await expect(assemble('gone', { sessionId: 'new' })).rejects.toThrow('There is no agent "gone"');
  expect((await assemble('gone', { sessionId: 'before', runId: 'run-2' })).systemPrompt).toContain('Go.');
  expect(log).toEqual([]);
});

test('[WORKER-15b] a config that became invalid, or is gone, keeps its agents, and is said once; files change as before', async () => {
  const agents = { night: inConfig('Watch the shop.') };
  const { assemble, write, configure, configFile, log } = await workerOf({}, { agents });
  await configure({ agents: { night: inConfig('Watch the bank.', { maxTurns: 3 }) } });
  await write({ day: agent('Watch by day.') });
  for (const sessionId of ['a', 'b'])
    expect((await assemble('night', { sessionId })).systemPrompt).toContain('Watch the shop.');
  expect((await assemble('day')).systemPrompt).toContain('Watch by day.');
  expect(log).toEqual([
    expect.stringMatching(/agents\.night.*"maxTurns"[^]*keeps the agents that the file had\.$/),
  ]);
  expect(log[0]).toContain(configFile);
  await rm(configFile);
  expect((await assemble('night', { sessionId: 'c' })).systemPrompt).toContain('Watch the shop.');
  expect(log).toHaveLength(2);
  await configure({ agents: { night: inConfig('Watch the bank.') } });
  expect((await assemble('night')).systemPrompt).toContain('Watch the bank.');
});

test('[WORKER-15b] an agent of the config that names a tool that is not there keeps its former definition, with its place', async () => {
  const { assemble, configure, log } = await workerOf({}, { agents: { night: inConfig('Watch the shop.') } });
  await configure({ agents: { night: inConfig('x', { tools: ['telescope'] }), day: inConfig('Day.') } });
  expect((await assemble('night')).systemPrompt).toContain('Watch the shop.');
  expect((await assemble('day')).systemPrompt).toContain('Day.');
  expect(log).toEqual([
    expect.stringMatching(/^agents\.night of the config is no agent: There is no tool "telescope"/),
  ]);
});

test('[WORKER-15c] setAgents gives agents by code, in place of those of the config; wrong ones are refused', async () => {
  const agents = { night: inConfig('Watch the shop.') };
  const { assemble, setAgents, configure, checkInput } = await workerOf(
    { filed: agent('From a file.') },
    { agents },
  );
  await setAgents({ night: inConfig('Watch the bank.'), day: inConfig('Watch by day.') });
  expect(() => checkInput({ prompt: 'Go.', agent: 'day' })).not.toThrow();
  await configure({ agents: { night: inConfig('From the file.') } });
  expect((await assemble('night')).systemPrompt).toContain('Watch the bank.');
  expect((await assemble('day')).systemPrompt).toContain('Watch by day.');
  expect((await assemble('filed')).systemPrompt).toContain('From a file.');
  const wrong = { night: { ...inConfig('x'), mode: 'all' } };
  await expect(setAgents(wrong as never)).rejects.toThrow('agents.night.mode');
  expect((await assemble('night')).systemPrompt).toContain('Watch the bank.');
});

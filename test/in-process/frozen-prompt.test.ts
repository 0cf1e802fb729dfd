// The system prompt over the requests of a run, with real activities: when it is assembled, and what reaches it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { digestOf } from '../../src/activities/base/digest.ts';
import { createActivities } from '../../src/activities/index.ts';
import { createPromptFiles } from '../../src/activities/assembly/prompt-files.ts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { carryOut, requests } from '../../src/core/session/requests.ts';
import type { Session } from '../../src/core/session/session.ts';
import { snapshotOf } from '../../src/core/session/snapshot-of.ts';
import { LocalEffects } from '../../src/in-process/local-effects.ts';
import { MemoryHost, runInMemory } from '../../src/in-process/memory-host.ts';
import { functionModel } from '../support/function-model.ts';
import { plainTool } from '../support/plain-tool.ts';
import { echoTool, toDeps } from '../support/session-worker.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

type Play = {
  agent?: Partial<AgentSpec>;
  input?: Partial<SessionInput>;
  /** Before the reply of a request, counted from 1 over all runs. */
  during?(request: number, folder: string): Promise<void> | void;
  /** Prompts of further runs. */
  next?: string[];
};

const turns = 3;

/** A session whose runs have three requests each, and what its prompts and events were. */
async function play({ agent = {}, input = {}, during, next = [] }: Play) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'SOUL.md'), 'Delete nothing.');
  const model = functionModel(async ({ request }) => {
    await during?.(model.requests.length, folder);
    const calls = [{ tool: 'echo', args: { text: String(model.requests.length) } }];
    return request.metadata.turn < turns ? { calls } : { text: 'done' };
  });
  const addNotes = defineHook({
    name: 'add_notes',
    prepareNextTurn: () => ({ context: { tools: ['list_notes', 'echo'] } }),
  });
  const notes = plainTool('list_notes', 'read', () => Promise.resolve({ text: 'none' }));
  const deps = await toDeps(
    { model, agent, hooks: [addNotes], tools: [notes, echoTool()] },
    await temporaryFolder(),
  );
  const readPromptFiles = createPromptFiles(folder, (text) => text);
  const activities = createActivities({ ...deps, readPromptFiles });
  let assembled = 0;
  const { assembleContext } = activities;
  activities.assembleContext = (given) => {
    assembled += 1;
    return assembleContext(given);
  };
  const prompts = [...next];
  const events: AgentEvent[] = [];
  const start: SessionInput = { agent: 'tester', prompt: 'Go.', tools: ['echo'], keepAlive: true, ...input };
  /** What the state says of its prompt, as often as it changes, and in how many executions. */
  const kept = new Map<string, { text: string; executions: Set<number> }>();
  let session: Session | undefined;
  function goOn(): void {
    if (!session) return;
    const { systemPromptDigest: hash, systemPrompt: text } = session.state.context ?? {};
    if (hash !== undefined && text !== undefined) {
      const { executions } = kept.get(hash) ?? { executions: new Set<number>() };
      kept.set(hash, { text, executions: executions.add(snapshotOf(session).continuedAsNew) });
    }
    events.push(...session.events.page(events.at(-1)?.seq ?? 0).events);
    if (session.state.status !== 'idle' || session.state.lastResult === undefined || session.closing) return;
    const prompt = prompts.shift();
    // after the change that is being made
    const idle = session;
    queueMicrotask(() => {
      carryOut(idle, prompt === undefined ? requests.shutdown(idle) : requests.prompt(idle, prompt));
    });
  }
  await runInMemory(start, (given) => {
    const host = new MemoryHost(given, { id: 'session', changed: goOn });
    ({ session } = host);
    return { session, effects: new LocalEffects(host, activities) };
  });
  const systemPrompts = model.requests.map(({ systemPrompt }) => systemPrompt);
  const changes = events.flatMap((event) => (event.type === 'prefix_changed' ? [event.reason] : []));
  return { prompts: systemPrompts, assembled, changes, kept };
}

test('[PROMPT-02ab] a change of IDENTITY.md, SOUL.md, USER.md or AGENTS.md during a run reaches the next run alone', async () => {
  const names = ['IDENTITY.md', 'SOUL.md', 'USER.md', 'AGENTS.md'];
  const { prompts } = await play({
    during: async (request, folder) => {
      for (const name of request === 1 ? names : [])
        await writeFile(join(folder, name), `${name} has changed.`);
    },
    next: ['Again.'],
  });
  const changed = prompts.map((prompt) => names.filter((name) => prompt.includes(`${name} has changed.`)));
  expect(changed).toEqual([[], [], [], names, names, names]);
});

const rewrite =
  (at: number, text: string) =>
  (request: number, folder: string): Promise<void> | void =>
    request === at ? writeFile(join(folder, 'SOUL.md'), text) : undefined;

test('[PROMPT-01abc] [PROMPT-02b] the prompt is assembled once a run and sent byte-equal, also after continue-as-new; the next run has the changes', async () => {
  const { prompts, assembled, changes, kept } = await play({
    input: { continueAsNewAfterTurns: 1 },
    during: rewrite(1, 'Delete everything.'),
    next: ['Again.'],
  });
  expect(assembled).toBe(2);
  expect(prompts).toHaveLength(2 * turns);
  expect(new Set(prompts.slice(0, turns)).size).toBe(1);
  expect(new Set(prompts.slice(turns)).size).toBe(1);
  expect(prompts[0]).toContain('Delete nothing.');
  expect(prompts[turns]).toContain('Delete everything.');
  expect(changes).toEqual(['refresh']);
  // text and hash are in the state of every execution
  const sent = [prompts[0] ?? '', prompts[turns] ?? ''];
  expect([...kept].map(([hash, { text }]) => [hash, text])).toEqual(
    sent.map((text) => [digestOf(text), text]),
  );
  for (const { executions } of kept.values()) expect(executions.size).toBeGreaterThanOrEqual(turns);
});

test('[PROMPT-02a] other tools in the middle of a run change what depends on them, and bring no changed file with them', async () => {
  const { prompts, assembled } = await play({
    agent: { hooks: [{ name: 'add_notes' }] },
    during: rewrite(1, 'Delete everything.'),
  });
  expect(assembled).toBeGreaterThan(1);
  expect(prompts.map((prompt) => prompt.includes('<notes_protocol>'))).toEqual([false, true, true]);
  for (const prompt of prompts) expect(prompt).toContain('Delete nothing.');
  // the same but for the protocol
  const [first = '', second = ''] = prompts;
  expect(second.replace(/<notes_protocol>[^]*<\/notes_protocol>\n\n/, '')).toBe(first);
});

test('[PROMPT-03] [PROMPT-04] promptConfig.refresh turn: each request has the files as they are then, and nothing accumulates', async () => {
  const { prompts, assembled, changes } = await play({
    agent: { promptConfig: { refresh: 'turn' } },
    during: rewrite(2, 'Delete everything.'),
  });
  expect(assembled).toBe(turns);
  expect(prompts[1]).toBe(prompts[0]);
  expect(prompts[2]).toBe(prompts[0]?.replace('Delete nothing.', 'Delete everything.'));
  expect(changes).toEqual(['refresh']);
});

test('[PROMPT-03] [PROMPT-12c] from equal sources every assembly gives the same, and no event', async () => {
  const { prompts, assembled, changes } = await play({
    agent: { promptConfig: { refresh: 'turn' } },
    next: ['Again.'],
  });
  expect(assembled).toBe(2 * turns);
  expect(new Set(prompts).size).toBe(1);
  expect(changes).toEqual([]);
});

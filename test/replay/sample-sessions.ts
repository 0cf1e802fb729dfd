// The sessions whose histories are recorded: between them what people do to a session most.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { textOf } from '@holdfast/vocabulary/messages';
import { z } from 'zod';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { ToolInfrastructureError } from '../../src/activities/tools/run-handler.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { workerLacks } from '@holdfast/base/failures';
import type { PendingApproval, Snapshot } from '@holdfast/vocabulary/snapshot';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { alertGroupType, alertReceiverType, taskBoardType } from '@holdfast/vocabulary/workflow-ids';
import {
  askHumanTool,
  pinFindingTool,
  updatePlanTool,
} from '../../src/activities/assembly/built-in-tools.ts';
import type { Alert, ReceiverState } from '../../src/client.ts';
import { alertMessages } from '../../src/core/alerts/alert-names.ts';
import type { GroupFates } from '@holdfast/vocabulary/alert-fate';
import { aRoute, anAlert, limits } from '../support/alerts.ts';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { plainTool } from '../support/plain-tool.ts';
import type { Saying, Turn } from '../support/function-model.ts';
import { echoTool } from '../support/session-worker.ts';
import type { SessionWorkerOptions } from '../support/session-worker.ts';
import { skillsIn } from '../support/skill-folders.ts';
import { delegating } from '../support/team.ts';
import { until } from '../support/until.ts';
import { aborted, untilStopped } from '../support/until-stopped.ts';

export type SampleSession = {
  input: SessionInput;
  /** Another workflow in place of a session; an open one is terminated after the play. */
  other?: { type: string; input: object; isOpen?: boolean };
  worker: SessionWorkerOptions;
  /** A session before it had the same id: this one stores under a marked name. */
  usedId?: true;
  /** Children whose histories are recorded too, by instance name. */
  children?: string[];
  /** Deliveries whose histories are recorded too, by the end of their ids. */
  deliveries?: string[];
  /** Workers of hosts, by name. */
  hosts?: Record<string, Omit<SessionWorkerOptions, 'model'>>;
  /** What people do while it runs; the session ends by itself afterwards. */
  play?(session: WorkflowHandle): Promise<void>;
};

const changeTool = {
  name: 'change',
  description: 'Changes something.',
  input: z.strictObject({}),
  effect: 'once' as const,
};
const change = defineTool({ ...changeTool, run: async () => ({ text: 'changed' }) });

/** Three tools at once, then a change that a person approves, and one that silence denies. */
function approvalSession(): SampleSession {
  return {
    input: { prompt: 'Look, then mend it.', approvals: { timeoutMs: 1_500 } },
    worker: {
      model: functionModel(({ number }) => {
        const echo = ['one', 'two', 'three'].map((text) => ({ tool: 'echo', args: { text } }));
        if (number === 1) return { calls: echo };
        return number < 4 ? { calls: [{ tool: 'change' }] } : { text: 'Mended.' };
      }),
      tools: [echoTool(), change],
    },
    play: approveFirst,
  };
}

/** The same with Temporal's interceptors for OpenTelemetry: their headers are in the history. */
function traced({ worker, ...session }: SampleSession): SampleSession {
  return { ...session, worker: { ...worker, traced: true } };
}

/** A model call and a tool that their worker hands back once, and an approval that is answered by a signal. */
function handedBackSession(): SampleSession {
  const lacks = ApplicationFailure.create({
    type: workerLacks,
    message: 'Worker w1 has no such part.',
    nonRetryable: true,
  });
  const offered = new Set<string>();
  const lacksOnce = (what: string): boolean => !offered.has(what) && offered.add(what).size > 0;
  return {
    input: { prompt: 'Change it.' },
    worker: {
      model: functionModel(({ number }) => {
        if (lacksOnce('model')) throw lacks;
        return number === 1 ? { calls: [{ tool: 'change' }] } : { text: 'Changed.' };
      }),
      tools: [
        defineTool({
          ...changeTool,
          run: async () => {
            if (lacksOnce('tool')) throw new ToolInfrastructureError('not here', { cause: lacks });
            return { text: 'changed' };
          },
        }),
      ],
    },
    async play(session) {
      const { id, argsDigest } = await pendingApproval(session);
      await session.signal('resolveApproval', { id, approve: true, actor: 'recorder', argsDigest });
    },
  };
}

/** Silence at a question, words of a person in a condense, and the same question again; then a finding is taken back. */
function askedAgainSession(): SampleSession {
  const condensing = Promise.withResolvers<void>();
  const steered = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const steps: Record<number, Saying> = {
    1: { calls: [{ tool: 'pin_finding', args: { text: 'The disk of db-1 is full.' } }, { tool: 'change' }] },
    4: { calls: [{ tool: 'change' }] },
    5: { text: 'Changed.' },
  };
  return {
    input: { prompt: 'Look, then mend it.', approvals: { timeoutMs: 1_000 } },
    worker: {
      model: functionModel(
        async ({ request: { metadata } }) => {
          if (metadata.purpose === 'condense') {
            condensing.resolve();
            await steered.promise;
            return { text: `db-1 and web-2 were looked at; 91 % of the disk is used. ${'echo '.repeat(40)}` };
          }
          if (metadata.turn === 4) await taken.promise;
          return steps[metadata.turn] ?? { calls: [{ tool: 'echo', args: { text: 'seen '.repeat(300) } }] };
        },
        ({ metadata }) => (metadata.turn === 3 ? 9_000 : 10),
      ),
      tools: [echoTool(), change, pinFindingTool],
      agent: { model: { contextWindow: 10_000 } },
    },
    async play(session) {
      await condensing.promise;
      await session.signal('steer', { id: 'm1', message: 'I was away. Please make the change.' });
      steered.resolve();
      await session.executeUpdate('takeBackFinding', { args: [{ id: 'finding-1', actor: 'recorder' }] });
      taken.resolve();
      await approveFirst(session);
    },
  };
}

/** The id had another session before; a subagent and a hand-over take the marked name along. */
function usedIdSession(): SampleSession {
  return {
    input: { prompt: 'Why is checkout slow?', continueAsNewAfterTurns: 1 },
    usedId: true,
    worker: {
      model: functionModel(({ number, request: { metadata } }) =>
        metadata.agent === 'tester' && number === 1
          ? delegating({ agent: 'analyst', task: 'logs' })
          : { text: 'The pool is too small.' },
      ),
      agent: { delegation: { agents: ['*'] } },
      agents: { analyst: {} },
    },
  };
}

async function pendingApproval(session: WorkflowHandle): Promise<PendingApproval> {
  return until('a call waits for approval', async () => {
    const [first] = await session.query<PendingApproval[]>('pendingApprovals');
    return first;
  });
}

async function approveFirst(session: WorkflowHandle): Promise<void> {
  const { id, argsDigest } = await pendingApproval(session);
  const answer = { approve: true, actor: 'recorder', argsDigest };
  await session.executeUpdate('resolveApproval', { args: [id, answer] });
}

/** Steered between turns, interrupted in a model call, followed up, aborted; then a second run and a shutdown. */
function steeredSession(): SampleSession {
  const calling = Promise.withResolvers<void>();
  const tooling = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  return {
    input: { prompt: 'Look around.', keepAlive: true },
    worker: {
      model: functionModel(async ({ number, newTexts, options }) => {
        if (newTexts.at(-1) === 'Wait for me.') {
          calling.resolve();
          await untilStopped(options.signal);
        }
        return number === 1 ? { calls: [{ tool: 'slow' }] } : { text: `Answer ${number}.` };
      }),
      tools: [
        plainTool('slow', 'read', async () => {
          tooling.resolve();
          await released.promise;
          return { text: 'released' };
        }),
      ],
    },
    async play(session) {
      await tooling.promise;
      await session.signal('steer', { id: 's1', message: 'Wait for me.' });
      await session.signal('followUp', { id: 'f1', message: 'And then?' });
      released.resolve();
      await calling.promise;
      await session.signal('steer', { id: 's2', message: 'Go on.', mode: 'interrupt' });
      await ended(session, 1);
      await session.executeUpdate('prompt', { args: ['Wait for me.'] });
      await session.signal('abort');
      await ended(session, 2);
      await session.executeUpdate('prompt', { args: ['One more.'] });
      await session.signal('shutdown');
    },
  };
}

async function ended(session: WorkflowHandle, runs: number): Promise<void> {
  await until(`run ${runs} has ended`, async () => {
    const result = await session.query<{ runId: string } | null, [string]>('getResult', `run-${runs}`);
    return result ?? undefined;
  });
}

/** Six turns over several executions; with more than the newest records that travel, so that segments are stored. */
function handOverSession(): SampleSession {
  return {
    input: { prompt: 'Read it all.', continueAsNewAfterTurns: 2, loop: { maxTurns: 0 } },
    worker: {
      model: functionModel(({ number }) =>
        number < 6
          ? { calls: [{ tool: 'echo', args: { text: `${number} `, times: 2_000 } }] }
          : { text: 'Read.' },
      ),
    },
  };
}

/** A run whose result has to be read from the store, because a hand-over has left its messages behind. */
function longRunSession(): SampleSession {
  return {
    ...handOverSession(),
    input: { prompt: 'Read it all.', continueAsNewAfterTurns: 5, loop: { maxTurns: 0 } },
  };
}

/** Loads a group, pins a finding beside the loaded tool's call, and does it all over in a second execution. */
function workflowToolsSession(): SampleSession {
  return {
    input: {
      prompt: 'Load, then look.',
      tools: ['pin_finding'],
      toolGroups: ['look'],
      continueAsNewAfterTurns: 2,
      loop: { maxTurns: 0 },
    },
    worker: {
      model: functionModel(({ number }) => {
        const pin = { tool: 'pin_finding', args: { text: `Seen in turn ${number}.` } };
        if (number === 1) return { calls: [{ tool: 'load_tools', args: { groups: ['look'] } }] };
        return number < 4 ? { calls: [pin, { tool: 'echo', args: { text: 'seen' } }] } : { text: 'Done.' };
      }),
      tools: [echoTool(), pinFindingTool],
      toolGroups: { look: ['echo'] },
    },
  };
}

/** A skill that the prompt loads, one that the model loads, a file of it, over hand-overs, and both in the next prompt. */
function skillsSession(): SampleSession {
  const folder = join(import.meta.dirname, '../../examples/skills/skills');
  const file = { skill: 'disk-full', path: 'references/what-grows.md' };
  return {
    input: {
      prompt: 'No space left on device.',
      promptConfig: { skillTriggers: true, loadedSkills: true },
      keepAlive: true,
      continueAsNewAfterTurns: 2,
    },
    worker: {
      model: functionModel(({ number }) => {
        if (number === 1)
          return { calls: [{ tool: 'load_skills', args: { skills: ['disk-full', 'none'] } }] };
        return number === 2 ? { calls: [{ tool: 'read_skill_file', args: file }] } : { text: 'Done.' };
      }),
      skills: skillsIn(folder),
    },
    async play(session) {
      await ended(session, 1);
      await session.executeUpdate('prompt', { args: ['And now?'] });
      await ended(session, 2);
      await session.signal('shutdown');
    },
  };
}

/** Hooks of both kinds, a budget that ends the work, what goes on with it, settings, a condense, a reset, a deadline. */
function hooksSession(): SampleSession {
  return {
    input: {
      prompt: 'Look.',
      keepAlive: true,
      budget: { turns: 1 },
      loop: { deadlineMs: 600_000 },
      condense: { keepLastN: 1 },
      hooks: [{ name: 'logger' }, { name: 'look' }, { name: 'reflection' }],
    },
    worker: {
      model: functionModel(({ number }) =>
        number === 1 ? { calls: [{ tool: 'echo', args: { text: 'seen' } }] } : { text: `Answer ${number}.` },
      ),
      hooks: [
        defineHook({
          name: 'look',
          beforeToolCall: () => undefined,
          afterToolCall: () => ({ content: 'seen by a hook' }),
          prepareNextTurn: ({ toolResults }) =>
            toolResults.length > 0 ? { context: { systemPrompt: 'Be brief.' } } : undefined,
          shouldStopAfterTurn: () => ({ stop: false }),
          beforeCondense: () => ({ keep: 1, summary: 'Looked, and saw it.' }),
        }),
      ],
    },
    async play(session) {
      await ended(session, 1);
      await session.executeUpdate('extendBudget', { args: [{ turns: 5 }] });
      await session.executeUpdate('continue', { args: [{}] });
      await ended(session, 2);
      await session.executeUpdate('condense');
      await until('the view is condensed', async () => {
        const page = await session.query<{ events: { type: string }[] }, [number]>('getEvents', 0);
        return page.events.some(({ type }) => type === 'condense_end');
      });
      await session.signal('setThinkingLevel', 'high');
      await session.signal('reset');
      await until('the view is reset', async () => {
        const page = await session.query<{ records: unknown[] }, [number]>('getMessages', 0);
        return page.records.length === 0;
      });
      await session.executeUpdate('prompt', { args: ['And now?'] });
      await session.signal('shutdown');
    },
  };
}

/**
 * A hook goes around the model call, shares data and asks a model; an answer is sent back, then changed; the next run is
 * answered, the one after refused by a hook; a hand-over after every turn.
 */
function verdictsSession(): SampleSession {
  return {
    input: { prompt: 'Look.', keepAlive: true, continueAsNewAfterTurns: 1, hooks: [{ name: 'judge' }] },
    worker: {
      model: functionModel(({ number }) =>
        number === 1 ? { calls: [{ tool: 'echo', args: { text: 'seen' } }] } : { text: `Answer ${number}.` },
      ),
      hooks: [
        defineHook({
          name: 'judge',
          async runStart({ task }, { share, complete }) {
            if (task === 'Known.') return { answer: 'As ever.' };
            if (task === 'Drop it.') return { fail: 'Not here.' };
            share({ advice: await complete({ prompt: 'Any advice?' }) });
            return undefined;
          },
          aroundModelCall: (request, next, { data }) =>
            next({ ...request, systemPrompt: `${request.systemPrompt}\n${JSON.stringify(data)}` }),
          runEnd: ({ answer }, { state, setState }) => (
            setState(true),
            state === undefined ? { retry: 'Look again.' } : { answer: `${answer} Checked.` }
          ),
        }),
      ],
    },
    async play(session) {
      await ended(session, 1);
      await session.executeUpdate('prompt', { args: ['Known.'] });
      await ended(session, 2);
      await session.executeUpdate('prompt', { args: ['Drop it.'] });
      await session.signal('shutdown');
    },
  };
}

/** A gate that a withdrawn message leaves behind, then a tool that is stopped before its hook. */
function stoppedHooksSession(): SampleSession {
  const asked = Promise.withResolvers<void>();
  const tooling = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  return {
    input: { prompt: 'Change it, then wait.', hooks: [{ name: 'gate' }] },
    worker: {
      model: functionModel(({ number }) => {
        if (number > 2) return { text: 'Stopped twice.' };
        return { calls: [{ tool: number === 1 ? 'change' : 'slow' }] };
      }),
      policy: [{ tool: '*', decision: 'allow' }],
      tools: [
        change,
        defineTool({
          name: 'slow',
          description: 'Waits.',
          input: z.strictObject({}),
          effect: 'read',
          run: async (_, { signal }) => {
            tooling.resolve();
            await aborted(signal);
            return { text: 'as far as it came' };
          },
        }),
      ],
      hooks: [
        defineHook({
          name: 'gate',
          async beforeToolCall({ toolCall }) {
            if (toolCall.name !== 'change') return undefined;
            asked.resolve();
            await mayEnd.promise;
            return { block: true };
          },
          afterToolCall: () => ({ content: 'seen by a hook' }),
        }),
      ],
    },
    async play(session) {
      await asked.promise;
      await session.signal('steer', { id: 's1', message: 'No.', mode: 'interrupt' });
      await session.signal('clearSteering');
      await tooling.promise;
      await session.signal('steer', { id: 's2', message: 'Enough.', mode: 'interrupt' });
      mayEnd.resolve();
    },
  };
}

/** Looks for a checkpoint of its task, finds none, and saves one after each call. */
function checkpointSession(): SampleSession {
  return {
    input: { prompt: 'Read it.', taskId: 'job', checkpoint: 'saved', loop: { checkpointEvery: 'tool' } },
    worker: {
      model: functionModel(({ number }) => {
        const echo = ['one', 'two'].map((text) => ({ tool: 'echo', args: { text } }));
        return number === 1 ? { calls: echo } : { text: 'Read.' };
      }),
    },
  };
}

/** Continues from a file, in the middle of a batch and over a hand-over. */
function importedSession(): SampleSession {
  const file = new URL('../fixtures/checkpoint/v1-state-1.json', import.meta.url);
  // the file names a provider that no worker has
  const text = readFileSync(file, 'utf8').replaceAll('"provider": "memory"', '"provider": "scripted"');
  const slow = plainTool('slow', 'read', async () => ({ text: 'seen' }));
  return {
    input: { checkpoint: JSON.parse(text), continueAsNewAfterTurns: 1 },
    worker: {
      tools: [echoTool(), slow],
      model: functionModel(({ number }) =>
        number < 2 ? { calls: [{ tool: 'echo', args: { text: `${number}` } }] } : { text: 'Read.' },
      ),
    },
  };
}

/** A call whose worker is lost, and whose tool finds out that it happened. */
function reconciledSession(): SampleSession {
  const lost = new ToolInfrastructureError('The worker is gone.');
  return {
    input: { prompt: 'Change it.' },
    worker: {
      model: callsFirst([{ tool: 'change' }], 'Changed.'),
      policy: [{ tool: '*', decision: 'allow' }],
      tools: [
        defineTool({
          ...changeTool,
          run: () => Promise.reject(lost),
          reconcile: () => ({ happened: true, text: 'changed' }),
        }),
      ],
    },
  };
}

/**
 * A question and a call that wait together: both are escalated, the question is answered, the call is approved for the
 * session; the same call in the next execution asks nobody, and a second question is closed by silence.
 */
function peopleSession(): SampleSession {
  const ask = (question: string) => ({ tool: 'ask_human', args: { question } });
  return {
    input: {
      prompt: 'Ask, then mend it twice.',
      continueAsNewAfterTurns: 1,
      loop: { maxTurns: 0 },
      approvals: { escalateAfterMs: 500, timeoutMs: 600_000, questionTimeoutMs: 6_000 },
    },
    worker: {
      model: functionModel(({ number }) => {
        if (number === 1) return { calls: [{ tool: 'change' }, ask('On purpose?')] };
        return number === 2 ? { calls: [{ tool: 'change' }, ask('Anybody?')] } : { text: 'Mended.' };
      }),
      tools: [askHumanTool, change],
    },
    async play(session) {
      await until('both are escalated', async () => {
        const { approvals, questions } = await session.query<Snapshot>('snapshot');
        return [...approvals, ...questions].filter(({ escalatedAt }) => escalatedAt).length === 2;
      });
      const answer = { id: 'call_1_2', text: 'yes', actor: 'recorder' };
      await session.executeUpdate('answerQuestion', { args: [answer] });
      const { argsDigest } = await pendingApproval(session);
      const approval = { id: 'call_1_1', approve: true, actor: 'recorder', argsDigest, remember: 'call' };
      await session.executeUpdate('resolveApproval', { args: [approval] });
    },
  };
}

/** Two hosts, one of them without a worker: a call that its host judges and a person approves, one that only runs. */
function hostsSession(): SampleSession {
  const judged = defineTool({
    ...changeTool,
    inspect: () => ({ actions: [{ effect: 'once', command: 'change it' }], preview: 'change it' }),
    run: async () => ({ text: 'changed there' }),
  });
  const on = (host: string) => ({ on_host: host });
  return {
    input: { prompt: 'Look there, then mend it.' },
    worker: {
      hosts: ['web-1', 'db-1'],
      agent: { hosts: ['*'] },
      model: functionModel(({ number }) => {
        const echo = { tool: 'echo', args: { ...on('web-1'), text: 'one' } };
        const missing = { tool: 'echo', args: { ...on('db-1'), text: 'two' } };
        if (number === 1) return { calls: [echo, missing, { tool: 'list_hosts' }] };
        return number === 2 ? { calls: [{ tool: 'change', args: on('web-1') }] } : { text: 'Mended.' };
      }),
    },
    hosts: { 'web-1': { tools: [echoTool(), judged] } },
    play: approveFirst,
  };
}

/** A checking model allows one change and denies another; the denied one is denied again without being checked. */
function judgedSession(): SampleSession {
  return {
    input: { prompt: 'Change it.' },
    worker: {
      model: functionModel(({ number, request }) => {
        const [first] = request.messages;
        const canary = /Canary: ([0-9a-f]{24})/.exec(first ? textOf(first) : '')?.[1];
        if (request.metadata.purpose === 'policy') {
          const verdict = first && textOf(first).includes('"refused"') ? 'deny' : 'allow';
          return { text: JSON.stringify({ canary, verdict, reason: 'read' }) };
        }
        const text = ['wanted', 'refused', 'refused'][number - 1];
        return text === undefined ? { text: 'Done.' } : { calls: [{ tool: 'change', args: { text } }] };
      }),
      policy: [{ tool: '*', decision: 'allow' }],
      policyTiers: { model: 'scripted:test' },
      tools: [plainTool('change', 'once', async () => ({ text: 'changed' }))],
    },
  };
}

/**
 * The vote of five plans, over executions of one turn each: steps are marked, one fails and is replaced, and an answer with
 * open steps is asked for again.
 */
function plannedSession(): SampleSession {
  const step = (text: string) => ({ text, criterion: 'it was seen', verify: text === 'check' });
  const mark = (id: string, status: string) => ({ tool: 'update_plan', args: { id, status } });
  return {
    input: {
      prompt: 'Look.',
      plan: { strategy: 'self_consistency' },
      continueAsNewAfterTurns: 1,
      loop: { maxTurns: 0 },
    },
    worker: {
      model: functionModel(({ number, request }) => {
        const steps = ['look', 'ask', 'check'].map(step);
        if (request.metadata.purpose === 'planner') return { text: JSON.stringify({ steps }) };
        if (number === 1) return { calls: [mark('1', 'done'), mark('2', 'failed')] };
        const rest = [{ ...step('look'), status: 'done' }, step('check')];
        if (number === 2) return { calls: [{ tool: 'update_plan', args: { steps: rest } }] };
        return number === 4 ? { calls: [mark('2', 'done')] } : { text: 'It is 2.' };
      }),
      tools: [updatePlanTool],
    },
  };
}

/**
 * Three children at once, one of which delegates too and hands over; then one that a message interrupts. The parent hands over
 * between them.
 */
function delegationSession(): SampleSession {
  const complete = (summary: string) => ({
    calls: [{ tool: 'task_complete', args: { status: 'completed', summary } }],
  });
  const turns: Record<string, (turn: Turn) => Saying | Promise<Saying>> = {
    tester({ number }) {
      if (number === 1)
        return delegating(
          { agent: 'triage', task: 'pool', context: 'Since noon.' },
          { agent: 'analyst', task: 'logs' },
          { agent: 'nobody' },
        );
      return number === 2
        ? delegating({ agent: 'slow', task: 'metrics' })
        : { text: 'The pool is too small.' };
    },
    triage: ({ number }) =>
      number === 1 ? delegating({ agent: 'analyst', task: 'deploys' }) : complete('It is real.'),
    analyst: ({ number }) =>
      number === 1 ? { calls: [{ tool: 'echo', args: { text: 'look' } }] } : { text: 'Nothing.' },
    slow: ({ options }) => untilStopped(options.signal),
  };
  return {
    input: { prompt: 'Why is checkout slow?', continueAsNewAfterTurns: 1, budget: { tokens: 100_000 } },
    children: ['triage-pool-1', 'slow-metrics-1'],
    worker: {
      model: functionModel((turn) => turns[turn.request.metadata.agent]?.(turn) ?? { text: 'Not asked.' }),
      agent: { delegation: { agents: ['*'] } },
      agents: {
        triage: { delegation: { maxDepth: 2 } },
        analyst: {},
        slow: { loop: { deadlineMs: 600_000 } },
      },
    },
    async play(session) {
      await until('the slow child works', async () => {
        const { children } = await session.query<Snapshot>('snapshot');
        const child = children.find(({ agent, state }) => agent === 'slow' && state === 'running');
        return child && (await session.client.getHandle(child.id).query<Snapshot>('snapshot')).streaming;
      });
      await session.signal('steer', { id: 's1', message: 'Leave the metrics.', mode: 'interrupt' });
    },
  };
}

/** A task board over two executions: claimed, refused, ended, given back, closed. */
function boardSession(): SampleSession {
  return {
    input: {},
    other: { type: taskBoardType, input: { maxEvents: 20 } },
    worker: { model: functionModel(() => ({ text: '' })) },
    async play(board) {
      const call = (name: string, args: object) => board.executeUpdate(name, { args: [args] });
      await call('add', { text: 'Read the logs.', id: 'logs' });
      await call('add', { text: 'Read the metrics.' });
      await call('claim', { id: 'logs', by: 'analyst-1' });
      await call('claim', { id: 'logs', by: 'analyst-2' }).catch(() => undefined);
      await call('claim', { id: 't1', by: 'analyst-2' });
      await call('setStatus', { id: 'logs', by: 'analyst-1', status: 'completed', notes: 'pool' });
      await call('release', { id: 't1', by: 'analyst-2' });
      await board.signal('close');
    },
  };
}

/** Notes that fit come before the run, facts are taken down before a condense, and the report is kept as an incident. */
function memorySession(): SampleSession {
  const chunk = {
    id: '3fa9',
    source: 'MEMORY.md',
    title: 'Pool',
    text: 'It is small.',
    section: 1,
    position: 0,
    at: 0,
  };
  const report = { summary: 'The pool is small.', grade: 'likely', claims: [] };
  return {
    input: {
      prompt: 'Why is it slow?',
      model: { contextWindow: 10_000 },
      loop: { maxTurns: 0 },
      condense: { keepLastN: 4 },
    },
    worker: {
      model: functionModel(
        ({ request: { metadata } }) => {
          if (metadata.purpose === 'extract') return { text: '- The pool has 40 connections.' };
          if (metadata.purpose === 'condense') return { text: 'Looked around.' };
          if (metadata.turn < 6) return { calls: [{ tool: 'echo', args: { text: `${metadata.turn}` } }] };
          return metadata.turn === 6 ? { calls: [{ tool: 'report', args: report }] } : { text: 'The pool.' };
        },
        ({ metadata }) => (metadata.turn === 4 ? 9_000 : 10),
      ),
      tools: [echoTool(), createReportTool()],
      memory: {
        recall: async () => [chunk],
        search: async () => [],
        show: async () => undefined,
        forget: async () => false,
        append: async () => 1,
        keep: async () => undefined,
        refresh: async () => undefined,
        close: async () => undefined,
      },
    },
  };
}

/** A group over two executions: a session that runs across, joined and resolved alerts, a cooldown, a person's wish. */
function alertGroupSession(): SampleSession {
  let go = (): void => {};
  const gate = new Promise<void>((open) => (go = open));
  return {
    input: {},
    other: {
      type: alertGroupType,
      isOpen: true,
      input: {
        receiver: 'recorded',
        title: 'payments',
        searchAttributes: ['AlertReceiver', 'AlertFates'],
        maxEvents: 40,
      },
    },
    worker: {
      model: functionModel(async ({ number }) => {
        if (number === 1) await gate;
        return { text: 'the disk is full' };
      }),
    },
    async play(group) {
      const send = (alert: Partial<Alert>) =>
        group.signal(alertMessages.alerts, {
          alerts: [anAlert(alert)],
          route: aRoute({ debounceMs: 100 }),
          limits,
        });
      const kinds = async (): Promise<string[]> => {
        const { alerts } = await group.query<GroupFates>(alertMessages.fates);
        return alerts.map(({ fate }) => fate.kind);
      };
      const shows = (kind: string) => until(kind, async () => (await kinds()).includes(kind));
      await send({ fingerprint: 'a' });
      await shows('investigating');
      await send({ fingerprint: 'b' });
      await shows('joined');
      const { runId } = await group.describe();
      await until('a new execution', async () => {
        await send({ fingerprint: 'b' });
        return (await group.describe()).runId !== runId;
      });
      await send({ fingerprint: 'a', status: 'resolved' });
      await shows('resolved');
      go();
      await until('its end is heard', async () => {
        const { sessions } = await group.query<GroupFates>(alertMessages.fates);
        return sessions.every(({ endedAt }) => endedAt !== undefined);
      });
      await send({ fingerprint: 'c' });
      await shows('suppressed');
      await group.executeUpdate(alertMessages.investigate, { args: [{ by: 'recorder' }] });
      await until('a second one began', async () => !(await kinds()).includes('suppressed'));
    },
  };
}

/** Slots for groups that are gone, given back and asked for again; a refused message. */
function alertReceiverSession(): SampleSession {
  return {
    input: {},
    other: { type: alertReceiverType, isOpen: true, input: { receiver: 'recorded' } },
    worker: { model: functionModel(() => ({ text: 'nothing' })) },
    async play(receiver) {
      const ask = (group: string, critical: boolean) =>
        receiver.signal(alertMessages.askSlot, {
          group,
          critical,
          limits: { slots: 1, reserve: 0 },
          leaseMs: 60_000,
        });
      await ask('gone-1', false);
      await ask('gone-2', true);
      await receiver.signal(alertMessages.freeSlot, { group: 'gone-1', costUsd: 0.5 });
      await receiver.signal(alertMessages.refuse, { reason: 'no JSON' });
      await until('all of it is taken', async () => {
        const { refusedTotal } = await receiver.query<ReceiverState>(alertMessages.receiver);
        return refusedTotal === 1;
      });
    },
  };
}

/** A start, a question and an end are delivered, over two executions; one destination is not there. */
function deliveredSession(): SampleSession {
  return {
    input: {
      prompt: 'Look, then mend it.',
      deliver: [{ to: 'team', on: ['start', 'question', 'end'] }, { to: 'nobody' }],
      needsReport: true,
      continueAsNewAfterTurns: 1,
    },
    worker: {
      model: functionModel(({ number }) => {
        if (number === 1) return { calls: [{ tool: 'change' }] };
        return number === 2 ? { calls: [{ tool: 'echo', args: { text: 'one' } }] } : { text: 'Mended.' };
      }),
      tools: [echoTool(), change],
      destinations: new Map([['team', () => Promise.resolve()]]),
    },
    deliveries: ['run-1:1:call_1_1', 'run-1:end'],
    play: approveFirst,
  };
}

/** A delegated task with notes and a board that is not there, then a report that a critic objects to. */
function criticisedSession(): SampleSession {
  const report = (summary: string) => ({
    tool: 'report',
    args: {
      summary,
      grade: 'likely',
      claims: [{ text: 'It is slow.', quotes: [{ callId: 'call_1_1', quote: 'slow' }] }],
    },
  });
  const delegate = {
    tool: 'delegate',
    args: {
      tasks: [
        { agent: 'analyst', task: 'Why?', context: '' },
        { agent: 'analyst', task: 'Whose?', context: '', task_id: 'one' },
      ],
    },
  };
  const done = (status: string) => ({
    calls: [{ tool: 'task_complete', args: { status, summary: 'Look again.' } }],
  });
  return {
    input: {
      prompt: 'Why is it slow?',
      delegation: { verify: true, reflectionDir: 'notes', taskBoard: 'none' },
    },
    worker: {
      model: functionModel(({ number, request }) => {
        if (request.metadata.agent !== 'tester') return done('failed');
        const calls = [{ tool: 'echo', args: { text: 'slow' } }, delegate];
        if (number === 1) return { calls };
        return number < 4 ? { calls: [report(`Slow ${number}.`)] } : { text: 'Slow.' };
      }),
      tools: [echoTool(), createReportTool()],
      agent: { delegation: { agents: ['analyst'] } },
      agents: { analyst: { tools: [] }, critic: { tools: [] } },
    },
  };
}

/** A change and a question two levels below, answered at the top, which also steers the one that asks. */
function familySession(): SampleSession {
  const path = 'lead-repair-1/fixer-make-1';
  const turns: Record<string, (turn: Turn) => Saying> = {
    tester: ({ number }) =>
      number === 1 ? delegating({ agent: 'lead', task: 'repair' }) : { text: 'Repaired.' },
    lead: ({ number }) => (number === 1 ? delegating({ agent: 'fixer', task: 'make' }) : { text: 'Made.' }),
    fixer({ number }) {
      if (number === 1) return { calls: [{ tool: 'change' }] };
      return number === 2
        ? { calls: [{ tool: 'ask_human', args: { question: 'More?' } }] }
        : { text: 'Done.' };
    },
  };
  const deeper = { delegation: { agents: ['*'], maxDepth: 2 } };
  return {
    input: { prompt: 'Repair it.' },
    children: ['lead-repair-1', path],
    worker: {
      model: functionModel((turn) => turns[turn.request.metadata.agent]?.(turn) ?? { text: 'Not asked.' }),
      tools: [change, askHumanTool],
      policy: [{ tool: 'change', decision: 'ask' }],
      agent: deeper,
      agents: { lead: deeper, fixer: {} },
    },
    async play(session) {
      await pendingApproval(session);
      await session.signal('steer', { id: 's1', message: 'Only a little.', to: path });
      await session.signal('steer', { id: 's2', message: 'Hello?', to: 'nobody' });
      await approveFirst(session);
      const question = await until('the subagent asks', async () => {
        const [pending] = await session.query<{ id: string }[]>('pendingQuestions');
        return pending;
      });
      await session.executeUpdate('answerQuestion', { args: [question.id, 'No.', 'recorder'] });
    },
  };
}

/** A report that is completed at the end of a run which was handed over: a change was denied, and work went on after it. */
function reportedSession(): SampleSession {
  const report = { summary: 'It is slow.', grade: 'confirmed', claims: [], ruledOut: [], gaps: [] };
  const turns: Saying[] = [
    { calls: [{ tool: 'echo', args: { text: 'now call change' } }] },
    { calls: [{ tool: 'change' }] },
    { calls: [{ tool: 'report', args: report }] },
    { calls: [{ tool: 'echo', args: { text: 'more' } }] },
  ];
  return {
    input: { prompt: 'Why is it slow?', continueAsNewAfterTurns: 2 },
    worker: {
      model: functionModel(({ number }) => turns[number - 1] ?? { text: 'Slow.' }),
      tools: [echoTool(), change, createReportTool()],
      policy: [{ tool: 'change', decision: 'deny' }],
    },
  };
}

/** Every request is near the window, and after each condense two calls are made again: warned, handed over, stopped. */
function circlingSession(): SampleSession {
  let asked = 0;
  const model = functionModel(
    ({ request }) => {
      if (request.metadata.purpose !== 'main') return { text: 'Nothing yet.' };
      asked++;
      const text = asked % 2 === 0 ? 'cache' : 'pool';
      return { calls: [{ tool: 'echo', args: { text } }] };
    },
    () => 9_000,
  );
  return {
    input: { prompt: 'Why is it slow?', continueAsNewAfterTurns: 4 },
    worker: {
      model,
      agent: {
        loop: { maxTurns: 0 },
        model: { contextWindow: 10_000 },
        condense: { strategy: 'summary_only', maxPerRun: 0 },
      },
    },
  };
}

/** An answer by a schema: sent back in one execution and right in the next, then a run that fails on its second one. */
function outputSession(): SampleSession {
  const texts = ['The pool.', '{"cause":"pool"}', '{"cause":2}', 'none'];
  return {
    input: {
      prompt: 'Why?',
      keepAlive: true,
      continueAsNewAfterTurns: 1,
      outputSchema: { type: 'object', properties: { cause: { type: 'string' } }, required: ['cause'] },
    },
    worker: { model: functionModel(({ number }) => ({ text: texts[number - 1] ?? '' })) },
    async play(session) {
      await ended(session, 1);
      await session.executeUpdate('prompt', { args: ['And now?'] });
      await ended(session, 2);
      await session.signal('shutdown');
    },
  };
}

export const sampleSessions: Record<string, SampleSession> = {
  approval: approvalSession(),
  'traced-approval': traced(approvalSession()),
  criticised: criticisedSession(),
  'asked-again': askedAgainSession(),
  'used-id': usedIdSession(),
  steered: steeredSession(),
  'traced-steered': traced(steeredSession()),
  'continue-as-new': handOverSession(),
  'read-output': longRunSession(),
  'workflow-tools': workflowToolsSession(),
  skills: skillsSession(),
  checkpoint: checkpointSession(),
  hooks: hooksSession(),
  verdicts: verdictsSession(),
  imported: importedSession(),
  'stopped-hooks': stoppedHooksSession(),
  'handed-back': handedBackSession(),
  reconciled: reconciledSession(),
  judged: judgedSession(),
  people: peopleSession(),
  hosts: hostsSession(),
  planned: plannedSession(),
  output: outputSession(),
  'task-board': boardSession(),
  'alert-group': alertGroupSession(),
  'alert-receiver': alertReceiverSession(),
  memory: memorySession(),
  delegation: delegationSession(),
  family: familySession(),
  circling: circlingSession(),
  reported: reportedSession(),
  delivered: deliveredSession(),
};

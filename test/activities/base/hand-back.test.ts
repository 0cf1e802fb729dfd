// Tasks that a worker cannot do: how they are handed back, and that they take along what they have used up.
import { expect, test } from 'vitest';
import { createFrozenContexts } from '../../../src/activities/context/frozen-contexts.ts';
import { missingPart } from '../../../src/activities/context/worker-parts.ts';
import type { WorkerParts } from '../../../src/activities/context/worker-parts.ts';
import type { ModelLedger } from '../../../src/core/model/activity-contracts.ts';
import type { FrozenContext } from '../../../src/core/model/frozen-context.ts';
import { textOf } from '../../../src/core/model/messages.ts';
import {
  attempt,
  fakeProvider,
  frozenContext,
  MemoryWorkflow,
  say,
  worker,
} from '../../support/model-bench.ts';

const parts: WorkerParts = {
  identity: 'w1',
  tools: new Set(['grep', 'read']),
  toolGroups: new Set(),
  hooks: new Set(),
  providers: new Set(['fake']),
  functions: new Set(['convertToLlm', 'rewriteRequest', 'transformContext']),
};
const prices = { model: { provider: 'spare', id: 'x' } };

test.each<[string, Partial<FrozenContext>, Partial<WorkerParts>, string | undefined]>([
  ['everything', {}, {}, undefined],
  ['more than is needed', {}, { hooks: new Set(['guard']) }, undefined],
  ['no provider', {}, { providers: new Set() }, 'has no model provider "fake".'],
  [
    'no key for it',
    {},
    { providers: new Set(), providerAdvice: new Map([['fake', 'set FAKE_API_KEY.']]) },
    'has no model provider "fake": set FAKE_API_KEY.',
  ],
  ['no provider of a fallback', { fallbacks: [prices] }, {}, 'has no model provider "spare".'],
  ['no provider of side work', { purposes: { condense: prices } }, {}, 'has no model provider "spare".'],
  ['not a tool', {}, { tools: new Set(['grep']) }, 'has no tool "read".'],
  [
    'not a hook that has code of its own',
    {
      hooks: [
        { name: 'reflection', params: {}, points: [], runsIn: 'workflow' },
        { name: 'guard', params: {}, points: [], runsIn: 'activity' },
      ],
    },
    {},
    'has no hook "guard".',
  ],
  ['not a function', { functions: ['beforeSend'] }, {}, 'has no function "beforeSend".'],
])('[WORKER-01] a worker that has %s', (_what, context, more, missing) => {
  expect(missingPart(frozenContext(context), { ...parts, ...more })).toBe(missing);
});

test('[WORKER-01] [LOOP-11] a model call is offered to others; what it has used up goes with it to the next worker', async () => {
  const workflow = new MemoryWorkflow();
  workflow.append({ role: 'user', content: [{ type: 'text', text: 'Go.' }], origin: 'prompt' });
  const { provider, requests } = fakeProvider(() => say('done'));
  const ledger: ModelLedger = { failures: 3, spentMs: 7_000, firstFailureAt: 900_000 };
  const unfit = worker(workflow, provider, {
    contexts: createFrozenContexts({ ...parts, providers: new Set() }),
  });
  const input = workflow.input();
  const heartbeatDetails = { turn: 1, attempt: 1, partial: '', ledger };
  const early = attempt({ attempt: 4, heartbeatDetails });
  expect(await early.failure(unfit.callModel, input)).toMatchObject({
    type: 'Worker.Lacks',
    nonRetryable: false,
    nextRetryDelay: '200ms',
  });
  // the next attempt, on whatever worker, finds it in the heartbeat
  expect(early.beats.at(-1)?.ledger).toEqual(ledger);
  const last = await attempt({ attempt: 5, heartbeatDetails }).failure(unfit.callModel, input);
  expect(last).toMatchObject({ type: 'Worker.Lacks', nonRetryable: true, details: [{ ledger }] });
  expect(requests).toEqual([]);
  const again = attempt();
  const fit = worker(workflow, provider, { classify: () => ({ type: 'Model.Overloaded', message: 'busy' }) });
  provider.call = () => Promise.reject(new Error('boom'));
  await again.failure(fit.callModel, { ...input, ledger });
  expect(again.beats.at(-1)?.ledger).toMatchObject({ failures: 4, firstFailureAt: 900_000 });
});

test('[WORKER-01] a projection that the run did not begin with is not applied', async () => {
  const seen = async (functions: string[] | undefined): Promise<string[]> => {
    const workflow = new MemoryWorkflow();
    workflow.context = frozenContext(functions ? { functions } : {});
    workflow.append({ role: 'user', content: [{ type: 'text', text: 'Go.' }], origin: 'prompt' });
    const { provider, requests } = fakeProvider(() => say('done'));
    const { callModel } = worker(workflow, provider, { transformContext: () => [] });
    await attempt().run(callModel, workflow.input());
    return requests.flatMap(({ messages }) => messages.map(textOf));
  };
  expect(await seen([])).toEqual(['Go.']);
  expect(await seen(['transformContext'])).toEqual([]);
  // of a worker that did not say
  expect(await seen(undefined)).toEqual([]);
});

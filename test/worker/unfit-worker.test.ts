// A worker that lacks a part says which, once.
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { handBack } from '../../src/activities/base/hand-back.ts';
import { reportLacks } from '../../src/worker/unfit-worker.ts';

test('[WORKER-01a] each part that a session needs and this worker lacks is said once; other failures are not', async () => {
  const said: string[] = [];
  const environment = new MockActivityEnvironment();
  const { inbound } = reportLacks((lack) => void said.push(lack))(environment.context);
  const run = (body: () => unknown): Promise<unknown> =>
    environment.run(async () => inbound?.execute?.({ args: [], headers: {} }, async () => body()));
  const lack = (what: string) => (): never => {
    throw handBack('41@web-1:5e0c3a91', what);
  };
  for (const what of ['has no tool "change".', 'has no tool "change".', 'has no activity "tool.x".'])
    await expect(run(lack(what))).rejects.toThrow(what);
  const broken = (): never => {
    throw ApplicationFailure.nonRetryable('it broke', 'Tool.Bug');
  };
  await expect(run(broken)).rejects.toThrow('it broke');
  expect(await run(() => 'done')).toBe('done');
  const worker = 'Worker 41@web-1:5e0c3a91 on task queue test';
  expect(said).toEqual([`${worker} has no tool "change".`, `${worker} has no activity "tool.x".`]);
});

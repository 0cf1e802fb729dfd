// What is ended for a dead worker, and above all what is not: decided on what the server shows of each session.
import { expect, test } from 'vitest';
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import { workerLost } from '@holdfast/base/failures';
import { takeOver } from '../../src/worker/take-over.ts';
import { describeToolFailure } from '../../src/workflows/session/tool-call.ts';

const dead = { identity: '41@web-1:aaaaaaaa', namespace: 'default', taskQueue: 'holdfast' };
const live = '42@web-1:bbbbbbbb';
const [scheduled, started, cancelRequested, pauseRequested] = [1, 2, 3, 5];

/** Of the dead worker, started a second ago, unless it says otherwise. */
function activity(activityId: string, changes: object = {}): object {
  const seconds = Math.floor(Date.now() / 1_000) - 1;
  return {
    activityId,
    state: started,
    lastWorkerIdentity: dead.identity,
    lastStartedTime: { seconds, nanos: 0 },
    activityOptions: { heartbeatTimeout: { seconds: 10, nanos: 0 } },
    ...changes,
  };
}

type EndOfAttempt = {
  workflowId: string;
  activityId: string;
  failure: { applicationFailureInfo: { details: { payloads: Payload[] } } };
};

/** Takes over where these sessions are open; gives the calls that change something, in order. */
async function callsFor(sessions: Record<string, object[]>): Promise<{ taken: string[]; calls: string[] }> {
  const calls: string[] = [];
  const workflowService = {
    listWorkflowExecutions: async () => ({
      executions: Object.keys(sessions).map((workflowId) => ({ execution: { workflowId, runId: 'r' } })),
    }),
    describeWorkflowExecution: async ({ execution }: { execution: { workflowId: string } }) => ({
      pendingActivities: sessions[execution.workflowId],
    }),
    resetStickyTaskQueue: async ({ execution }: { execution: { workflowId: string } }) =>
      calls.push(`unstick ${execution.workflowId}`),
    respondActivityTaskFailedById: async ({ workflowId, activityId, failure }: EndOfAttempt) => {
      const [said] = failure.applicationFailureInfo.details.payloads;
      const begun = said && defaultPayloadConverter.fromPayload(said) === true ? ' begun' : '';
      calls.push(`end ${workflowId}/${activityId}${begun}`);
    },
  };
  const withDeadline = (_deadline: number, work: () => Promise<unknown>) => work();
  const taken = await takeOver(Object({ workflowService, withDeadline }), dead);
  return { taken, calls };
}

test('[FAULT-1] its attempts are ended, also those that were asked to stop, after the session left its queue', async () => {
  const sessions = { s: [activity('1'), activity('2', { state: cancelRequested })] };
  expect(await callsFor(sessions)).toEqual({ taken: ['s'], calls: ['unstick s', 'end s/1', 'end s/2'] });
});

test('[FAULT-100] [WORKER-04f] the end of an attempt says whether it had sent a heartbeat: a change that had not is not begun', async () => {
  const { calls } = await callsFor({ s: [activity('1'), activity('2', { heartbeatDetails: {} })] });
  expect(calls).toEqual(['unstick s', 'end s/1', 'end s/2 begun']);
});

test.each([
  ['had not begun', [false], true, 'not_run'],
  ['had begun', [true], true, 'unknown'],
  ['was ended without a word of it', [], true, 'unknown'],
  ['was given to a worker of other programs, which need not beat', [false], false, 'unknown'],
])('[FAULT-100] [TOOL-08d] a lost change that %s', (_, details, beats, outcome) => {
  const lost = ApplicationFailure.create({ type: workerLost, message: 'gone', details });
  expect(describeToolFailure(lost, 'once', undefined, { beats })).toMatchObject({
    outcome,
    text: expect.stringMatching(outcome === 'not_run' ? /^Not run: / : /^Outcome unknown: /),
  });
});

test('[FAULT-1] a session that waits leaves its queue; one that a live worker runs is not touched', async () => {
  const sessions = { waits: [], runs: [activity('1', { lastWorkerIdentity: live })] };
  expect(await callsFor(sessions)).toEqual({ taken: [], calls: ['unstick waits'] });
});

test('[FAULT-5] an attempt that another worker may have by now is never ended', async () => {
  const silentSince = Math.floor(Date.now() / 1_000) - 9;
  const { calls } = await callsFor({
    // waits for its next attempt: a live worker may take it at any moment
    retried: [activity('1', { state: scheduled })],
    // the server gives it to another one within the second
    late: [activity('2', { lastStartedTime: { seconds: silentSince } })],
    beaten: [activity('3', { lastHeartbeatTime: { seconds: silentSince }, lastStartedTime: { seconds: 1 } })],
    paused: [activity('4', { state: pauseRequested })],
  });
  expect(calls.filter((call) => call.startsWith('end'))).toEqual([]);
});

test('one session that cannot be taken over does not keep the others from it', async () => {
  const sessions = {
    get gone(): object[] {
      throw new Error('this session has ended');
    },
    open: [activity('2')],
  };
  expect((await callsFor(sessions)).calls).toEqual(['unstick open', 'end open/2']);
});

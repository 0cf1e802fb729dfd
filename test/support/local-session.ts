// A session of several prompts in this process, with the activities that ship and a model that is a function.
import { onTestFinished } from 'vitest';
import { createActivities } from '../../src/activities/index.ts';
import { runSession } from '../../src/core/loop/agent-loop.ts';
import { beginSession } from '../../src/core/loop/begin.ts';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { RunResult } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { nextInput } from '../../src/core/session/carried.ts';
import { queryRules } from '../../src/core/session/queries.ts';
import { carryOut, requests } from '../../src/core/session/requests.ts';
import type { Session } from '../../src/core/session/session.ts';
import { LocalEffects } from '../../src/in-process/local-effects.ts';
import { MemoryHost } from '../../src/in-process/memory-host.ts';
import { type SessionWorkerOptions, toDeps } from './session-worker.ts';
import { temporaryFolder } from './tool-calls.ts';

export type LocalSession = {
  /** Of the execution in hand. */
  readonly session: Session;
  readonly snapshot: Snapshot;
  /** Where its artifacts are. */
  artifactsDir: string;
  /** Prompts, waits for the end of the run and gives its result. */
  ask(prompt: string): Promise<RunResult>;
  reset(): void;
};

/** It stays until the test ends, over as many executions as `input.continueAsNewAfterTurns` makes. */
export async function localSession(
  options: SessionWorkerOptions,
  input: SessionInput = {},
): Promise<LocalSession> {
  const artifactsDir = await temporaryFolder();
  const activities = createActivities(await toDeps(options, artifactsDir));
  const open = (given: SessionInput): MemoryHost => {
    const host = new MemoryHost(given, { id: 'session', changed: () => wake() });
    return host;
  };
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const look of waiting) look();
  };
  let host = open({ agent: 'tester', keepAlive: true, ...input });
  beginSession(host.session, []);
  const running = (async () => {
    while ((await runSession(host.session, new LocalEffects(host, activities))) === 'hand_over') {
      const { session } = host;
      host = open(nextInput(session.input, session.carry()));
      beginSession(host.session, []);
    }
  })();
  const until = (ready: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!ready()) return;
        waiting = waiting.filter((each) => each !== look);
        resolve();
      };
      waiting.push(look);
      running.catch(reject);
      look();
    });
  const end = async (): Promise<void> => {
    if (!host.session.closing) carryOut(host.session, requests.shutdown(host.session));
    await running;
  };
  // what is still being stored keeps the folder
  onTestFinished(end);
  return {
    get session() {
      return host.session;
    },
    get snapshot() {
      return queryRules.snapshot(host.session);
    },
    artifactsDir,
    async ask(prompt) {
      const { runs } = host.session.state;
      host.session.inbox.putPrompt([userMessage(prompt)]);
      host.wake();
      await until(() => host.session.state.runs === runs + 1 && !host.session.busy);
      const { lastResult } = host.session.state;
      if (!lastResult) throw new Error('The run left no result');
      return lastResult;
    },
    reset() {
      carryOut(host.session, requests.reset(host.session));
    },
  };
}

// A tested run in this process: real activities, the real loop, no server. Runs in Node; writes nothing to disk.
import { defined } from '@holdfast/base/defined';
import { readStoredLog, readText } from '@holdfast/stored/stored-session';
import type { Config } from '../config/config.ts';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';
import { carryOut, requests } from '../core/session/requests.ts';
import type { Session } from '../core/session/session.ts';
import { LocalEffects } from '../in-process/local-effects.ts';
import { createMemoryArtifactStore } from '../in-process/memory-artifact-store.ts';
import { MemoryHost, runInMemory } from '../in-process/memory-host.ts';
import { composeActivities } from '../worker/compose-activities.ts';
import type { PlayedModel } from '../worker/providers.ts';
import { type AgentTest, type TestedRun, describeUnanswered, describeUndecided } from './agent-test.ts';

const sessionId = 'test';

export async function runTestInMemory(
  test: AgentTest,
  config: Config,
  play: PlayedModel & Pick<TestedRun, 'requests'>,
): Promise<TestedRun> {
  const artifacts = createMemoryArtifactStore();
  const { activities, checkInput, close } = await composeActivities({ config, artifacts, play });
  const input: SessionInput = { ...test.input, prompt: test.prompt };
  checkInput(input);
  const boards = new Map(Object.entries(config.taskBoards ?? {}));
  const watch = new Watch(test);
  const running = runInMemory(input, (given) => {
    const host = new MemoryHost(given, { id: sessionId, changed: (session) => watch.look(session) });
    watch.session = host.session;
    return { session: host.session, effects: new LocalEffects(host, activities, boards) };
  });
  let result: SessionResult;
  try {
    result = await watch.race(running);
  } finally {
    await close();
  }
  const messages = (await readStoredLog(artifacts, sessionId)) ?? watch.session?.state.log.records ?? [];
  const report = result.report && (await readText(artifacts, sessionId, result.report.artifactId));
  return defined({ sessionId, result, messages, requests: play.requests, report });
}

/** Answers approvals and questions, and ends a run that takes too long. */
class Watch {
  session: Session | undefined;
  readonly #test: AgentTest;
  readonly #asked = new Set<string>();
  readonly #failed = Promise.withResolvers<never>();

  constructor(test: AgentTest) {
    this.#test = test;
    this.#failed.promise.catch(() => undefined);
  }

  async race(run: Promise<SessionResult>): Promise<SessionResult> {
    const { timeoutMs = 60_000 } = this.#test;
    const timer = setTimeout(() => this.#fail(describeTimeout(timeoutMs, this.session)), timeoutMs);
    try {
      return await Promise.race([run, this.#failed.promise]);
    } finally {
      clearTimeout(timer);
      run.catch(() => undefined);
    }
  }

  /** Includes the sessions that the tested one has started. */
  look(session: Session): void {
    const { approvals, questions } = session;
    for (const call of approvals.pending) this.#once(session, call.id, () => this.#decide(session, call));
    for (const question of questions.pending)
      this.#once(session, question.id, () => this.#answer(session, question));
  }

  #once(session: Session, id: string, answer: () => Promise<void>): void {
    const key = `${session.id}/${id}`;
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    answer().catch((error: unknown) => this.#fail(String(error)));
  }

  async #answer(session: Session, question: PendingQuestion): Promise<void> {
    const { answer } = this.#test;
    if (!answer) return this.#fail(describeUnanswered(question));
    const given = { id: question.id, text: await answer(question), actor: 'test' };
    const done = carryOut(session, requests.answerQuestion(session, given));
    if (!done.ok) this.#fail(done.reason);
  }

  async #decide(session: Session, call: PendingApproval): Promise<void> {
    const { approve } = this.#test;
    if (!approve) return this.#fail(describeUndecided(call));
    const answer = { id: call.id, approve: await approve(call), actor: 'test', argsDigest: call.argsDigest };
    carryOut(session, requests.resolveApproval(session, answer));
  }

  #fail(message: string): void {
    this.#failed.reject(new Error(message));
    this.session?.cancel();
  }
}

function describeTimeout(timeoutMs: number, session: Session | undefined): string {
  const { state, waitingReason } = session ?? {};
  const where = `at turn ${state?.run?.turn ?? 0} it is ${state?.status}${waitingReason ? ` (${waitingReason})` : ''}`;
  return `The agent did not end in ${timeoutMs / 1_000} s. Expected its end; ${where}.`;
}

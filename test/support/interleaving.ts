// Plays a session against a list of choices: every number picks what happens next, so that a failing list is a
// test of its own. Anything may come at any await; nothing here waits for time.
import { expect } from 'vitest';
import type { AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import type { HookPoint } from '@holdfast/vocabulary/hook';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import type { ModelOutcome } from '../../src/core/loop/effects.ts';
import { errorAnswer, textAnswer } from '../../src/core/state/own-answers.ts';
import { InvariantChecker } from './invariants.ts';
import type { PlainHook } from '../../src/in-process/run-agent.ts';
import { requests } from '../../src/core/session/requests.ts';
import { MemorySession, stopped, type MemoryOptions, type MemoryTool } from './memory-session.ts';
import { calls, fails, reply, says } from './memory-model.ts';

/** Something in flight: every entry settles it in one way, the first is the harmless one. */
type InFlight = { what: string; settle: (() => void)[] };

/**
 * Plays the choices, then lets the session come to its end; throws where an invariant breaks. `spoil` plants a bug in each
 * execution. The answer names what has happened: the ends of runs, and the kinds of everything else.
 */
export async function playInterleaving(
  choices: readonly number[],
  spoil?: (session: MemorySession) => void,
): Promise<ReadonlySet<string>> {
  const play = new Interleaving(choices, spoil);
  await play.run();
  return play.happened;
}

class Interleaving {
  readonly happened = new Set<string>();
  readonly #choices: number[];
  readonly #spoil: (session: MemorySession) => void;
  readonly #checker = new InvariantChecker();
  readonly #options: MemoryOptions;
  #session: MemorySession;
  #inFlight: InFlight[] = [];
  #exit: 'closed' | 'hand_over' | 'crashed' | undefined;
  #error: unknown;
  /** The first thing that a model or a tool found wrong. */
  #broken: unknown;
  #ids = 0;
  #calls = 0;
  #abortedRun: string | undefined;
  /** Ids of the calls that the model has made. */
  readonly #made: string[] = [];
  readonly #ranEver: string[] = [];
  /** Calls that a hook has let through, and whose result one has seen; without hooks undefined. */
  #hooked: { allowed: string[]; seen: string[] } | undefined;

  constructor(choices: readonly number[], spoil: (session: MemorySession) => void = () => undefined) {
    this.#choices = [...choices];
    this.#spoil = spoil;
    this.#options = this.#makeOptions();
    this.#session = new MemorySession(this.#options);
    spoil(this.#session);
  }

  async run(): Promise<void> {
    this.#prompt();
    this.#start();
    while (this.#choices.length > 0 && this.#exit !== 'closed') await this.#step();
    for (let steps = 0; this.#exit !== 'closed'; steps++) {
      expect(steps, 'the session does not come to its end').toBeLessThan(400);
      if (steps > 20) this.#session.send('shutdown');
      await this.#step();
    }
    this.#session.inbox.markUndelivered();
    this.#checker.check(this.#session);
    this.#checker.checkEnd();
    this.#checkResults();
    if (this.#broken !== undefined) throw this.#broken;
    for (const event of this.#checker.events) {
      this.happened.add(event.type === 'agent_end' ? `agent_end ${event.status}` : event.type);
    }
  }

  /** What a hook has not seen, it cannot have redacted. */
  #checkResults(): void {
    for (const record of this.#session.state.log.records) {
      if (!this.#hooked || record.role !== 'tool_result' || this.#hooked.seen.includes(record.callId))
        continue;
      expect(textOf(record), 'a result past its hook').not.toMatch(/^(same result|bye|result of .*|broken)$/);
    }
  }

  /** 0 when the choices are used up: then everything ends well. */
  #pick(count: number): number {
    return (this.#choices.shift() ?? 0) % count;
  }

  #start(): void {
    this.#exit = undefined;
    this.#session.run().then(
      (exit) => (this.#exit = exit),
      (error: unknown) => {
        this.#exit = 'crashed';
        this.#error = error;
      },
    );
  }

  async #step(): Promise<void> {
    this.#session.decisions = 0;
    const act = this.#pick(3) === 0 ? this.#actions().settle : this.#actions().any;
    const actions = act.length > 0 ? act : this.#actions().any;
    actions[this.#pick(actions.length)]?.();
    // sometimes the next thing comes within the same activation, or a few microtasks later
    const pause = this.#pick(4);
    if (pause === 1) return;
    if (pause === 2) for (let ticks = this.#pick(6); ticks > 0; ticks--) await Promise.resolve();
    else await new Promise((resolve) => setImmediate(resolve));
    if (this.#exit === 'crashed') throw this.#error;
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#exit === 'hand_over') return this.#handOver();
    this.#checker.check(this.#session);
    if (pause !== 2) this.#checkNotStuck();
  }

  #handOver(): void {
    expect(
      this.#inFlight.map(({ what }) => what),
      'in flight at a hand-over',
    ).toEqual([]);
    // what arrives while the state is stored goes along
    while (this.#pick(3) === 1) this.#messages()[this.#pick(5)]?.();
    const carried = this.#session.carry();
    expect(carried.state, 'the state is plain data').toEqual(this.#session.state);
    this.#checker.check(this.#session);
    this.#checker.handedOver();
    this.#session = new MemorySession(this.#options, carried);
    this.#spoil(this.#session);
    this.happened.add('hand_over');
    this.#start();
  }

  #checkNotStuck(): void {
    if (this.#exit !== undefined || this.#inFlight.length > 0) return;
    const { inbox, state, approvals, handOver, session } = this.#session;
    if (state.run)
      expect(
        approvals.length > 0 || session.operatorReason !== undefined,
        'a run that waits for nothing',
      ).toBe(true);
    else
      expect(inbox.hasPrompt || inbox.hasIdleMessage || session.closing || handOver, 'work undone').toBe(
        false,
      );
  }

  #actions(): { settle: (() => void)[]; any: (() => void)[] } {
    const settle = this.#inFlight.map((entry) => () => {
      this.#inFlight = this.#inFlight.filter((other) => other !== entry);
      entry.settle[this.#pick(entry.settle.length)]?.();
    });
    const { approvals, session } = this.#session;
    const decide = approvals.flatMap((callId) => [
      () =>
        void this.#session.send('resolveApproval', {
          id: callId,
          approve: false,
          actor: 'tester',
          reason: 'no',
        }),
      () => void this.#session.send('resolveApproval', { id: callId, approve: true, actor: 'ann' }),
    ]);
    const resume = session.operatorReason !== undefined ? [() => this.#session.send('resume')] : [];
    if (this.#choices.length === 0) return { settle: [...settle, ...decide, ...resume], any: [] };
    return { settle: [...settle, ...decide, ...resume], any: [...this.#messages(), ...this.#controls()] };
  }

  #messages(): (() => void)[] {
    const accept = (queue: 'steering' | 'followUp', mode?: 'interrupt'): void => {
      const id = `m${++this.#ids}`;
      this.#checker.accepted[queue].push(id);
      if (mode !== undefined) this.happened.add(mode);
      if (queue === 'followUp') this.#session.followUp(id);
      else this.#session.steer(id, id, mode);
    };
    return [
      () => accept('steering'),
      () => accept('steering', 'interrupt'),
      () => accept('followUp'),
      () => this.#again(),
      () => this.#abort(),
    ];
  }

  /** A signal that is sent twice. */
  #again(): void {
    if (this.#ids === 0) return;
    expect(this.#session.steer(`m${this.#ids}`), 'accepted twice').toBe(false);
  }

  #controls(): (() => void)[] {
    return [
      () => this.#cancel(`m${this.#pick(this.#ids + 1)}`),
      () => this.#pick(3) === 0 && this.#clear(),
      () => this.#prompt(),
      () => this.#session.send('resume'),
      () =>
        void this.#session.send('resolveApproval', { id: `late${this.#ids}`, approve: true, actor: 'ann' }),
      () => this.#session.requestHandOver(),
      () => this.#pick(5) === 1 && this.#session.send('shutdown'),
      () => this.#continue(),
      () => this.#pick(3) === 1 && this.#session.send('reset'),
      () => this.#session.send('extendBudget', { toolCalls: 1 }),
      () => this.#session.inbox.setMode('steering', this.#pick(2) === 1 ? 'all' : 'one-at-a-time'),
      () => this.#session.state.context && !this.#session.busy && this.#session.send('condense'),
      () => this.#timeOut(),
    ];
  }

  #cancel(id: string): void {
    const isQueued = this.#session.inbox.receipt(id)?.state === 'queued';
    this.#session.send('cancelQueued', id);
    if (isQueued) this.#checker.withdrawn.add(id);
  }

  #clear(): void {
    const { steering, followUp } = this.#session.snapshot.queues;
    for (const id of [...steering, ...followUp]) this.#checker.withdrawn.add(id);
    this.#session.send('clearQueues');
  }

  #prompt(): void {
    if (this.#session.busy || this.#session.inbox.closing) return;
    const text = `prompt ${this.#checker.prompts.length + 1}`;
    this.#checker.prompts.push(text);
    this.#session.prompt(text);
  }

  #continue(): void {
    const { inbox, session } = this.#session;
    if (inbox.closing || !requests.continue(session).ok) return;
    this.#session.continue();
    this.happened.add('continue');
  }

  #timeOut(): void {
    const { run } = this.#session.state;
    this.#session.session.timeOut(run?.runId ?? '');
    if (run && !run.end) this.#abortedRun = run.runId;
  }

  #abort(): void {
    const { run } = this.#session.state;
    this.#session.send('abort');
    if (run && !run.end) this.#abortedRun = run.runId;
  }

  #hold<T>(what: string, ways: ((settle: (value: T) => void, refuse: (error: Error) => void) => void)[]) {
    return new Promise<T>((resolve, reject) => {
      const settle = ways.map((way) => () => way(resolve, reject));
      this.#inFlight.push({ what, settle });
    });
  }

  /** Thrown in a model or a tool it would be no more than a run that fails. */
  #check(holds: () => void): void {
    try {
      holds();
    } catch (error) {
      this.#broken ??= error;
    }
  }

  /** No call of any kind begins in a run after its abort. */
  #assertMayStart(what: string): void {
    this.#check(() => {
      expect(this.#session.state.run?.runId, `${what} after the abort`).not.toBe(this.#abortedRun);
      expect(this.#session.inbox.stop, `${what} during an abort`).not.toBe('abort');
    });
  }

  #makeOptions(): MemoryOptions {
    const limits = [0, 0, 1, 3];
    const settings: AgentOptionValues = {
      loop: {
        toolExecution: this.#pick(3) === 1 ? 'sequential' : 'parallel',
        toolConcurrency: 1 + this.#pick(3),
        maxTurns: limits[this.#pick(4)] ?? 0,
        onLimit: this.#pick(2) === 1 ? 'error' : 'finalize',
        stop: this.#pick(2) === 1 ? 2 : 5,
        warn: this.#pick(2) === 1 ? 0 : 2,
      },
      queues: {
        steeringMode: this.#pick(2) === 1 ? 'all' : 'one-at-a-time',
        followUpMode: this.#pick(2) === 1 ? 'all' : 'one-at-a-time',
        steeringPoint: this.#pick(3) === 1 ? 'tool' : 'batch',
        followUpBudget: this.#pick(3) === 1 ? 'shared' : 'fresh',
        idleMessages: this.#pick(4) === 1 ? 'hold' : 'run',
      },
      budget: this.#pick(4) === 1 ? { toolCalls: 3 } : {},
    };
    return {
      settings,
      keepAlive: this.#pick(3) !== 1,
      policy: { ask: 'ask', deny: 'deny' },
      tools: { echo: this.#tool('echo'), ask: this.#tool('ask'), deny: this.#tool('deny') },
      model: (_, signal) => this.#model(signal),
      condense: () =>
        this.#hold<string>('condense', [(done) => done('short'), (_, refuse) => refuse(new Error('no'))]),
      bodies: {
        assembleContext: (_, signal) => {
          this.#assertMayStart('assembling');
          return this.#hold('assemble', [
            (done) => done(this.#session.context),
            (done, fail) => (signal.aborted ? fail(stopped) : done(this.#session.context)),
            (_done, fail) => fail(new Error('no such agent')),
          ]);
        },
        saveResult: () =>
          this.#hold('save', [(done) => done({ artifactId: 'result', checkpoint: 'checkpoint' })]),
      },
      ...(this.#pick(3) === 1
        ? { hooks: [this.#hook({ allowed: [], seen: [] })], beforeHook: (point) => this.#beforeHook(point) }
        : {}),
    };
  }

  /** Something of everything that a hook may do. */
  #hook(hooked: { allowed: string[]; seen: string[] }): PlainHook {
    this.#hooked = hooked;
    const rarely = (): boolean => this.#pick(4) === 1;
    return {
      name: 'any',
      beforeToolCall: ({ toolCall }) => {
        const block = rarely();
        if (!block) hooked.allowed.push(toolCall.callId);
        return { block, reason: 'blocked' };
      },
      afterToolCall: ({ toolCall }) => {
        hooked.seen.push(toolCall.callId);
        return rarely() ? { content: 'changed', terminate: rarely() } : undefined;
      },
      beforeComplete: () => (rarely() ? { inject: 'mind the pool' } : undefined),
      afterComplete: () => (rarely() ? { inject: 'and the disk' } : undefined),
      prepareNextTurn: () =>
        rarely() ? { context: { messages: [userMessage('in short', 'injected')] } } : undefined,
      shouldStopAfterTurn: () => ({ stop: rarely() }),
      runEnd: () => (rarely() ? { fail: 'not good enough' } : undefined),
    };
  }

  async #beforeHook(point: HookPoint): Promise<'stopped' | undefined> {
    if (!point.endsWith('ToolCall') && this.#pick(3) !== 1) return undefined;
    return this.#hold<'stopped' | undefined>(`hook ${point}`, [
      (done) => done(undefined),
      (_, refuse) => refuse(new Error('broken hook')),
      (done) => done('stopped'),
    ]);
  }

  #model(signal: AbortSignal): Promise<AssistantMessage | ModelOutcome> {
    this.#assertMayStart('a model call');
    const partial = () => says('half', { stopReason: 'aborted' });
    type Done = (value: AssistantMessage | ModelOutcome) => void;
    const stopped = (done: Done): void => {
      if (!signal.aborted) return done(says('done'));
      const result = { message: partial(), digest: 'd', calls: [], costUsd: 1, interrupted: true };
      done(this.#pick(2) === 0 ? { type: 'stopped' } : { type: 'stopped', result });
    };
    return this.#hold<AssistantMessage | ModelOutcome>('model', [
      (done) => done(says('done')),
      stopped,
      (done) => done(this.#callSome()),
      stopped,
      (done) => done(this.#callSome()),
      (done) => done(fails('Model.InvalidRequest')),
      (done) => done(fails('Model.Auth', 'wait_for_operator')),
      (done) => done(fails('Model.ContextOverflow', 'condense')),
      (done) => done({ ...this.#callSome(), stopDetail: 'refusal' }),
      (done) => done(reply([{ type: 'text', text: 'and' }, ...this.#callSome().content])),
    ]);
  }

  #callSome(): AssistantMessage {
    const names = ['echo', 'ask', 'deny', 'gone'];
    const ids = Array.from({ length: 1 + this.#pick(3) }, () => {
      // now and then a model uses one id twice
      if (this.#pick(9) !== 1) this.#calls++;
      return `c${this.#calls}`;
    });
    this.#made.push(...ids);
    return calls(...ids.map((id) => `${id}:${names[this.#pick(names.length)]}`));
  }

  #checkTool(name: string, callId: string, approvedBy: string | undefined): void {
    this.#assertMayStart(`tool ${name}`);
    expect(this.#session.inbox.stop, 'a tool after a stop').toBeUndefined();
    expect(approvedBy, `approval of ${name}`).toBe(name === 'ask' ? 'ann' : undefined);
    expect(name).not.toBe('deny');
    const times = (ids: string[]): number => ids.filter((id) => id === callId).length;
    expect(times(this.#ranEver), 'run twice').toBeLessThan(times(this.#made));
    if (this.#hooked) expect(this.#hooked.allowed, 'a tool past its hook').toContain(callId);
  }

  #tool(name: string): MemoryTool {
    return ({ callId, signal, approvedBy }) => {
      this.#check(() => this.#checkTool(name, callId, approvedBy));
      this.#ranEver.push(callId);
      const call = { call: { type: 'tool_call' as const, callId, name, arguments: '{}' } };
      return this.#hold(`tool ${name}`, [
        (done) => done('same result'),
        (done) => done({ ...textAnswer(call, 'bye'), terminate: true }),
        (done) => done(signal.aborted ? errorAnswer(call, 'tool execution aborted') : `result of ${callId}`),
        (_, refuse) => refuse(new Error('broken')),
      ]);
    };
  }
}

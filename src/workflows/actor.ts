// A workflow that is a state, the facts that change it, and the step that follows from it: groups of alerts, receivers and task
// boards. Handlers, hand-over and its waits are here; the rules of each are in core. A session has a loop of its own.
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  setHandler,
} from '@temporalio/workflow';
import type { Parsed } from '@holdfast/base/json';
import { accepted } from './activity-failure.ts';
import { isLong } from './hand-over.ts';

/** A step without work of its own. `wait`: until a message comes, or until this time. */
export type Rest = { type: 'wait'; until?: number } | { type: 'hand_over' } | { type: 'close' };

export type Transition<Fact> = { fact: Fact; answer: unknown };

/** `Work` is a step that the workflow performs; messages are named as on the wire. */
export type ActorRules<State, Fact, Work, Result> = {
  reduce(state: State, fact: Fact, now: number): State;
  next(state: State, now: number): Rest | Work;
  perform(work: Work, actor: Recorder<State, Fact>): Promise<void>;
  /** Undefined for a message that is not valid: a signal has no sender to complain to. */
  signals: Record<string, (given: unknown) => Fact | undefined>;
  /** A refused update leaves nothing in history. */
  updates?: Record<string, (state: State, given: unknown) => Parsed<Transition<Fact>>>;
  queries: Record<string, (state: State) => unknown>;
  /** Shows the state in the Temporal UI; called before every step. */
  show(state: State): void;
  resultOf(state: State): Result;
  /** Makes the state small enough for the input of the next execution. */
  prepareHandOver?(actor: Recorder<State, Fact>): Promise<void>;
};

/** The part of an actor that its work needs. */
export type Recorder<State, Fact> = Pick<Actor<State, Fact, never, unknown>, 'state' | 'record' | 'finish'>;

/** The one place that holds the state. */
export class Actor<State, Fact, Work extends { type: string }, Result> {
  readonly #input: { maxEvents?: number; carried?: State };
  readonly #rules: ActorRules<State, Fact, Work, Result>;
  #state: State;
  #isWoken = false;
  #unfinished = 0;

  /** `carried` is the state of the execution before, `empty` that of a first one. */
  constructor(
    input: { maxEvents?: number; carried?: State },
    empty: State,
    rules: ActorRules<State, Fact, Work, Result>,
  ) {
    this.#input = input;
    this.#rules = rules;
    this.#state = input.carried ?? empty;
    this.#registerHandlers();
  }

  get state(): State {
    return this.#state;
  }

  record(fact: Fact): void {
    this.#state = this.#rules.reduce(this.#state, fact, Date.now());
    this.#isWoken = true;
  }

  /** Keeps the execution from ending before `work` has. */
  async finish(work: Promise<unknown>): Promise<void> {
    this.#unfinished += 1;
    try {
      await work;
    } finally {
      this.#unfinished -= 1;
    }
  }

  /** Resolves when the rules say `close`. */
  async run(): Promise<Result> {
    const { next, show, perform, resultOf } = this.#rules;
    for (;;) {
      this.#isWoken = false;
      const step = next(this.#state, Date.now());
      if (step.type === 'close') break;
      // also before a first wait: the history may be full of messages, and the server then takes none that would end it
      if (step.type === 'hand_over' || isLong(this.#input)) return this.#handOver();
      show(this.#state);
      if (!isRest(step)) await perform(step, this);
      else if (step.type === 'wait') await this.#wait(step.until);
    }
    show(this.#state);
    await this.#drain();
    return resultOf(this.#state);
  }

  async #wait(until: number | undefined): Promise<void> {
    if (until === undefined) await condition(() => this.#isWoken);
    else await condition(() => this.#isWoken, Math.max(1, until - Date.now()));
  }

  async #handOver(): Promise<never> {
    await this.#rules.prepareHandOver?.(this);
    await this.#drain();
    return continueAsNew({ ...this.#input, carried: this.#state });
  }

  /** The end of one work may begin another. */
  async #drain(): Promise<void> {
    const isQuiet = (): boolean => this.#unfinished === 0 && allHandlersFinished();
    do await condition(isQuiet);
    while (!isQuiet());
  }

  #registerHandlers(): void {
    const { signals, updates = {}, queries } = this.#rules;
    for (const [name, answer] of Object.entries(queries))
      setHandler(defineQuery(name), () => answer(this.#state));
    for (const [name, read] of Object.entries(signals))
      setHandler(defineSignal<[unknown]>(name), (given) => {
        const fact = read(given);
        if (fact !== undefined) return this.record(fact);
        // even these fill the history
        this.#isWoken = true;
        log.warn(`a message "${name}" is not valid`);
      });
    for (const [name, read] of Object.entries(updates)) {
      const check = (given: unknown): Transition<Fact> => accepted(read(this.#state, given));
      const take = (given: unknown): unknown => {
        const { fact, answer } = check(given);
        this.record(fact);
        return answer;
      };
      setHandler(defineUpdate<unknown, [unknown]>(name), take, { validator: (given) => void check(given) });
    }
  }
}

function isRest(step: { type: string }): step is Rest {
  return step.type === 'wait' || step.type === 'hand_over' || step.type === 'close';
}

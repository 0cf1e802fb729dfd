// The sending half of a session handle: messages, answers, stops and settings, each as one signal or update with its
// deadline. Runs in the caller's process.
import { defined } from '@holdfast/base/defined';
import { comparedText } from '@holdfast/base/sizes';
import { randomUUID } from 'node:crypto';
import type { Budget, DrainMode } from '@holdfast/vocabulary/agent-spec';
import type { AllowanceScope, QueueName } from '@holdfast/vocabulary/events';
import { type UserMessage, textOf } from '@holdfast/vocabulary/messages';
import {
  type AnswerOf,
  type ArgsOf,
  type OperationName,
  operations,
} from '@holdfast/vocabulary/session-operations';
import type { ApprovalAnswer, QueuedText, Receipt } from '@holdfast/vocabulary/snapshot';
import type { ThinkingLevel } from '@holdfast/vocabulary/model-call';
import type { PromptInput } from '@holdfast/vocabulary/session-input';
import { queueFull } from '../core/session/inbox.ts';
import { payloadWithoutTokens, promptWithoutTokens } from '../core/session/without-tokens.ts';
import { promptSchema } from '../core/session/session-input.schema.ts';
import type { AgentMode, ExecutionMode } from '@holdfast/vocabulary/tool-spec';
import { describeIssues } from '@holdfast/base/schema-issues';
import { ClientError } from './client-error.ts';
import { type SessionCaller, type SessionUpdate, type SessionWork, sessionClosed } from './session-caller.ts';
import { assertSendable } from './start-session.ts';

export type Decision = {
  actor: string;
  reason?: string;
  /** From the approval that the person saw: counts only for these arguments. An approval needs it, here or in `id@digest`. */
  argsDigest?: string;
};
/** `remember` approves later calls of the session, too: the same call, or every call of the tool. */
export type Approval = Decision & { remember?: AllowanceScope | undefined };
/**
 * `receipt`: the session's own word, from the moment after. Absent where no worker has answered in time: Temporal has
 * the message, and the session reads it when a worker runs.
 */
export type SentMessage = { id: string; receipt?: Receipt };
export type SteerOptions = {
  id?: string | undefined;
  mode?: 'next_turn' | 'interrupt' | undefined;
  to?: string | undefined;
  /** Name of the sender, which the report has beside the words. */
  actor?: string | undefined;
};

/** A worker that is there answers within it; the message itself is safe by then. */
const receiptDeadlineMs = 2_000;

export class SessionSender {
  readonly sessionId: string;
  readonly #caller: SessionCaller;

  /** @internal */
  constructor(sessionId: string, caller: SessionCaller) {
    this.sessionId = sessionId;
    this.#caller = caller;
  }

  /** Gives an idle session a prompt; resolves on acceptance, without waiting for the run. */
  async prompt(prompt: PromptInput): Promise<{ runId: string }> {
    const checked = promptSchema.safeParse(prompt);
    if (!checked.success)
      throw new ClientError('InvalidInput', describeIssues(checked.error, 'prompt').join('; '));
    assertSendable(prompt, 'The prompt');
    return this.perform('prompt', promptWithoutTokens(prompt));
  }

  /** Starts a run without a new task: from the view, or from queued messages. Refused if there is neither. */
  async continue(continueText?: string): Promise<{ runId: string }> {
    return this.perform('continue', payloadWithoutTokens(defined({ continueText })));
  }

  /**
   * Read between turns; with mode `interrupt` at once. `to` names a running subagent, or `a/b` for one below it. A
   * message with an id that was sent before changes nothing. Rejects with `Refused` where the session has not taken it,
   * or its id is that of another message.
   */
  async steer(message: string | UserMessage, options: SteerOptions = {}): Promise<SentMessage> {
    return this.#say('steer', 'The steering message', message, options);
  }

  /** Read when the run would end. Rejects with `Refused` where the session has not taken it. */
  async followUp(
    message: string | UserMessage,
    { id, actor }: Pick<SteerOptions, 'id' | 'actor'> = {},
  ): Promise<SentMessage> {
    return this.#say('followUp', 'The follow-up', message, { id, actor });
  }

  /** A signal has no answer, so the session is asked. */
  async #say(
    name: 'steer' | 'followUp',
    what: string,
    given: string | UserMessage,
    { id = randomUUID(), mode, to, actor }: SteerOptions,
  ): Promise<SentMessage> {
    assertMessage(given, what);
    const payload = payloadWithoutTokens({ id, message: given, ...defined({ mode, to, actor }) });
    await this.perform(name, payload);
    const { message } = payload;
    const text = (typeof message === 'string' ? message : textOf(message)).slice(0, comparedText);
    const sent: QueuedText = { id, queue: name === 'steer' ? 'steering' : name, text };
    const ask: SessionWork<Receipt | null> = (handle) => handle.query('getReceipt', id, sent);
    const options = { deadlineMs: receiptDeadlineMs };
    const receipt = await this.#caller.call(this.sessionId, ask, options).catch(() => undefined);
    if (receipt === undefined) return { id };
    if (receipt !== null && receipt.state !== 'refused') return { id, receipt };
    const { reason = 'InvalidMessage' } = receipt ?? {};
    const words =
      { QueueFull: `: ${queueFull}`, IdTaken: ': its id is that of another message' }[reason] ?? '';
    const why = `Session ${this.sessionId} has not taken message ${id} (${reason})${words}.`;
    throw new ClientError('Refused', why, { reason });
  }

  /** False if the message was already delivered or is unknown. */
  async cancelQueued(id: string): Promise<{ removed: boolean }> {
    return this.perform('cancelQueued', id);
  }

  /** Withdraws the messages of both queues, or of one. */
  async clearQueues(queue?: QueueName): Promise<void> {
    const one = queue === 'steering' ? 'clearSteering' : 'clearFollowUp';
    await this.perform(queue === undefined ? 'clearQueues' : one);
  }

  /** Sets the number of messages taken from a queue at once, from the next drain on. */
  async setQueueMode(queue: QueueName, mode: DrainMode): Promise<void> {
    await this.perform('setQueueMode', { queue, mode });
  }

  /** Approves a call that waits for a person. */
  async approve(callId: string, decision: Approval): Promise<{ approved: boolean; allowance?: string }> {
    return this.#resolve(callId, defined({ ...decision, approve: true }));
  }

  /** Denies a call that waits for a person; the agent reads the reason. */
  async deny(callId: string, decision: Decision): Promise<{ approved: boolean }> {
    return this.#resolve(callId, { ...decision, approve: false });
  }

  /** Takes a remembered approval back; the snapshot has its id. */
  async forgetAllowance(id: string, { actor }: { actor: string }): Promise<{ forgotten: string }> {
    return this.perform('forgetAllowance', { id, actor });
  }

  /** Takes a pinned finding of the agent back; the agent reads it. */
  async takeBackFinding(id: string, { actor }: { actor: string }): Promise<{ takenBack: string }> {
    return this.perform('takeBackFinding', { id, actor });
  }

  /** Answers a question of the agent; the agent reads `text`. */
  async answerQuestion(
    id: string,
    text: string,
    { actor }: { actor: string },
  ): Promise<{ answered: string }> {
    const answer = payloadWithoutTokens({ id, text, actor });
    return this.#answer('answerQuestion', [answer], (refusal) =>
      wasTaken(refusal, 'answered', actor) ? { answered: id } : undefined,
    );
  }

  /** Ends the current run only. */
  async abort(): Promise<void> {
    await this.call((handle) => handle.signal('abort'));
  }

  /** Repeats the model call after an operator has fixed a refused key or a quota. */
  async resume(): Promise<void> {
    await this.call((handle) => handle.signal('resume'));
  }

  /** Accepts no new prompt; the current run finishes; the session completes. */
  async shutdown(): Promise<void> {
    await this.call((handle) => handle.signal('shutdown'));
  }

  /** Adds to the budget of the current work; returns the new one. Work that the budget ended also needs `continue`. */
  async extendBudget(by: Budget): Promise<{ budget: Budget }> {
    return this.perform('extendBudget', by);
  }

  /** Folds the older part of the view of an idle session; the event `condense_end` has the outcome. */
  async condense(): Promise<{ accepted: true }> {
    return this.perform('condense');
  }

  /** Empties view and queues as soon as the session is idle; its log and settings stay. */
  async reset(): Promise<void> {
    await this.perform('reset');
  }

  /** Model as `<provider>:<model id>`; this and the following settings take effect with the next run. */
  async setModel(model: string): Promise<void> {
    await this.perform('setModel', model);
  }

  async setSystemPrompt(systemPrompt: string): Promise<void> {
    await this.perform('setSystemPrompt', systemPrompt);
  }

  async setThinkingLevel(level: ThinkingLevel): Promise<void> {
    await this.perform('setThinkingLevel', level);
  }

  async setTools(tools: readonly string[]): Promise<void> {
    await this.perform('setTools', [...tools]);
  }

  async setToolExecution(mode: ExecutionMode): Promise<void> {
    await this.perform('setToolExecution', mode);
  }

  /** `observe`: only reads; `ask`: changes that a person approves; `act`: changes unasked. */
  async setMode(mode: AgentMode): Promise<void> {
    await this.perform('setMode', mode);
  }

  protected call<T>(work: SessionWork<T>): Promise<T> {
    return this.#caller.call(this.sessionId, work);
  }

  /** Sends an operation in the way that its row names. */
  protected perform<Name extends OperationName>(name: Name, ...args: ArgsOf<Name>): Promise<AnswerOf<Name>>;
  protected perform(name: OperationName, ...args: unknown[]): Promise<unknown> {
    const { kind } = operations[name];
    if (kind === 'query') return this.call((handle) => handle.query(name, ...args));
    if (kind === 'signal') return this.#caller.send(this.sessionId, (handle) => handle.signal(name, ...args));
    return this.#caller.update(this.sessionId, executing(name, args));
  }

  /**
   * Like `perform`; `readBack` finds the answer in a refusal. An answer to a session that has ended is told what ended its
   * last run.
   */
  async #answer<Name extends 'answerQuestion' | 'resolveApproval'>(
    name: Name,
    args: ArgsOf<Name>,
    readBack: (refusal: ClientError) => AnswerOf<Name> | undefined,
  ): Promise<AnswerOf<Name>> {
    try {
      return await this.#caller.update(this.sessionId, executing(name, args), readBack);
    } catch (error) {
      if (!(error instanceof ClientError && error.code === 'SessionClosed')) throw error;
      const last = await this.perform('snapshot').catch(() => undefined);
      throw sessionClosed(this.sessionId, error.cause, last?.error?.message);
    }
  }

  #resolve(callId: string, answer: ApprovalAnswer): Promise<{ approved: boolean; allowance?: string }> {
    const { approve: approved, actor } = answer;
    return this.#answer('resolveApproval', [callId, payloadWithoutTokens(answer)], (refusal) =>
      wasTaken(refusal, approved ? 'approved' : 'denied', actor) ? { approved } : undefined,
    );
  }
}

function executing<Answer>(name: OperationName, args: unknown[]): SessionUpdate<Answer> {
  return (handle, updateId) => handle.executeUpdate(name, { args: args as [unknown], updateId });
}

/**
 * True if the session refused because this person has already given this answer, by the words of core/session/desk.ts.
 */
function wasTaken({ code, message }: ClientError, how: string, actor: string): boolean {
  return code === 'Refused' && message.includes(`: it was ${how} by ${actor} at `);
}

function assertMessage(message: string | UserMessage, what: string): void {
  const empty = typeof message === 'string' ? message.trim() === '' : message.content.length === 0;
  if (empty) throw new ClientError('InvalidInput', `${what} is empty: expected some words or an image.`);
  assertSendable(message, what);
}

// Turns a start input into a workflow start: checked, within the size limit, with a readable id, and with the task in
// the Temporal UI. Pure but for the random part of the id.
import { messageOf } from '@holdfast/base/message-of';
import { randomInt } from 'node:crypto';
import type { WorkflowStartOptions } from '@temporalio/client';
import { checkpointsKey } from '@holdfast/vocabulary/outer-names';
import { toImportedState } from '../core/checkpoint/import-checkpoint.ts';
import { parseCheckpoint } from '../core/checkpoint/checkpoint.schema.ts';
import { parseSessionInput } from '../core/session/session-input.schema.ts';
import { type PromptInput, type SessionInput, defaultAgent } from '@holdfast/vocabulary/session-input';
import { textOf } from '@holdfast/vocabulary/messages';
import { shownStart } from '@holdfast/vocabulary/shown-start';
import { describeOther, toSessionId } from '@holdfast/vocabulary/workflow-ids';
import { jsonBytes, maxPayloadBytes, utf8Bytes } from '@holdfast/base/sizes';
import { startWithoutTokens } from '../core/session/without-tokens.ts';
import { withoutMark } from '@holdfast/stored/session-names';
import { ClientError } from './client-error.ts';
import type { ImageFile } from './images.ts';

export type StartOptions = {
  /** Default: made from the task, such as `checkout-is-slow-k3v9x`. */
  sessionId?: string;
  /** Default: the client's task queue. */
  taskQueue?: string;
  /** Pictures for the model, after the words of the prompt, which is a text then. */
  images?: readonly ImageFile[];
};

/** `encrypted`: payloads are encrypted and ids are not, so the id has no words of the task. */
type NameOptions = StartOptions & { encrypted?: boolean };
/** `task` was made by `nameStart`, before a large checkpoint left the input. */
type NamedStart = NameOptions & { task?: string };

/** The id of the session that this start makes, and its task in words. */
export function nameStart(given: SessionInput, options: NameOptions): NamedStart & { sessionId: string } {
  const task = taskOf(toSentInput(given));
  const words = options.encrypted === true ? '' : task;
  return { ...options, task, sessionId: checkId(options.sessionId) ?? makeSessionId(words) };
}

/** Throws the ClientError that `start` would throw for this input and id; sends nothing. */
export function checkSessionStart({ checkpoint, ...input }: SessionInput, options: StartOptions): void {
  nameStart(checkpoint === undefined ? input : { ...input, checkpoint }, options);
  assertSendable(input, 'The start input');
}

/** The server's limit for an id. */
const maxIdBytes = 1_000;

function checkId(id: string | undefined): string | undefined {
  if (id === checkpointsKey) {
    const message = `The session id "${id}" names the checkpoints of all tasks in the artifact store: expected another.`;
    throw new ClientError('InvalidInput', message);
  }
  const marked = `The session id "${id}" ends as the name of a later session, with ~ and 8 hex digits: expected another.`;
  if (id !== undefined && withoutMark(id) !== id) throw new ClientError('InvalidInput', marked);
  const other = id === undefined ? undefined : describeOther(id);
  if (other !== undefined)
    throw new ClientError('InvalidInput', `The session id "${id}" is that of ${other}: expected another.`);
  const size = utf8Bytes(id ?? '-');
  if (size >= 1 && size <= maxIdBytes) return id;
  throw new ClientError('InvalidInput', `The session id has ${size} bytes: expected 1 to ${maxIdBytes}.`);
}

/** The start call for this input; throws a ClientError (InvalidInput, TooLarge) before anything is sent. */
export function toWorkflowStart(
  given: SessionInput,
  options: NamedStart,
  taskQueue: string,
): WorkflowStartOptions<(input: SessionInput) => Promise<unknown>> & { workflowId: string } {
  // the Temporal UI then shows a failed run as failed; `result` of the client reads both forms
  const input = toSentInput({ throwOnFailure: true, ...given });
  assertSendable(input, 'The start input');
  const task = options.task ?? taskOf(input);
  const workflowId = options.sessionId ?? makeSessionId(task);
  return {
    workflowId,
    taskQueue: options.taskQueue ?? taskQueue,
    args: [input],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    ...shownStart(task, input.labels, options.encrypted),
  };
}

/** Throws TooLarge for a value that exceeds the workflow's limit for payloads. */
export function assertSendable(value: unknown, what: string): void {
  const size = jsonBytes(value);
  if (size <= maxPayloadBytes) return;
  throw new ClientError(
    'TooLarge',
    `${what} is ${Math.ceil(size / 1024)} KiB: expected at most ${maxPayloadBytes / 1024} KiB. ` +
      `Nothing was sent. Put long text into a file that the agent can read, and name it.`,
  );
}

/** The task in words: the first prompt's text, else the session's name. */
export function taskOf(input: SessionInput): string {
  const text = input.prompt === undefined ? '' : promptText(input.prompt);
  const { checkpoint } = input;
  const before =
    typeof checkpoint === 'object' && 'session' in checkpoint ? checkpoint.session?.state.task : '';
  return text.trim() || before || input.name || `session of ${input.agent ?? defaultAgent}`;
}

function promptText(prompt: PromptInput): string {
  if (typeof prompt === 'string') return prompt;
  return (Array.isArray(prompt) ? prompt : [prompt]).map(textOf).join('\n');
}

/** The input as it is sent: without tokens, the prompt first. Throws a ClientError (InvalidInput, Refused). */
export function toSentInput(input: SessionInput): SessionInput {
  assertCheckpoint(input);
  try {
    return startWithoutTokens(parseSessionInput(input));
  } catch (error) {
    throw new ClientError('InvalidInput', messageOf(error), { cause: error });
  }
}

/** Runs before the schema of the whole input, which cannot tell the intended kind of a broken checkpoint. */
function assertCheckpoint({ checkpoint, prompt, keepAlive, resumeFailed }: SessionInput): void {
  if (typeof checkpoint !== 'object' || checkpoint === null || 'artifactId' in checkpoint) return;
  const parsed = parseCheckpoint(checkpoint);
  if (!parsed.ok) throw new ClientError('InvalidInput', `The checkpoint cannot be used: ${parsed.reason}.`);
  const { records = [], toSeq } = parsed.value.messages;
  if (records.length < toSeq) return; // the worker has the other records
  const imported = toImportedState(parsed.value, records, {
    sessionId: '',
    now: 0,
    hasPrompt: prompt !== undefined,
    keepAlive: keepAlive === true,
    resumeFailed: resumeFailed === true,
  });
  if (imported.ok) return;
  const { code, reason } = imported;
  throw new ClientError(
    'Refused',
    `The session was not started: the checkpoint cannot be continued: ${reason}.`,
    { reason: code },
  );
}

function makeSessionId(task: string): string {
  // marks of a template; the words of the input are more useful
  return toSessionId(task.replaceAll(/<\/?untrusted_input>/g, ' '), (below) => randomInt(below));
}

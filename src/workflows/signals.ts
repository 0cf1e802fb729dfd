// Signals to a running session: they only put things into the inbox, are ignored with a warning where they make no
// sense, and never throw: a throw in a handler would block the workflow. Synchronous; the main loop acts.
import type { SignalDefinition } from '@temporalio/workflow';
import { setHandler } from '@temporalio/workflow';
import { parseApproval } from '../core/session/approval-answer.ts';
import type { QueueName } from '../core/model/events.ts';
import { parseQueued } from '../core/session/prompt.ts';
import { parseQueueMode, parseSetting, settingNames } from '../core/session/session-settings.ts';
import type { Session } from './session.ts';
import * as api from './workflow-api.ts';

export function registerSignals(session: Session): void {
  const { inbox } = session;
  const on = <Args extends unknown[]>(
    signal: SignalDefinition<Args>,
    description: string,
    work: (...args: Args) => void,
  ): void => {
    const handle = (...args: Args): void => {
      inbox.signals++;
      work(...args);
      session.onChange();
    };
    setHandler(signal, handle, { description });
  };
  on(api.steerSignal, 'A message for the running agent: {id, message, mode?}.', (payload) =>
    enqueue(session, 'steering', payload),
  );
  on(api.followUpSignal, 'A message for when the agent is done: {id, message}.', (payload) =>
    enqueue(session, 'followUp', payload),
  );
  on(api.abortSignal, 'Ends the current run.', () => session.abort());
  on(
    api.resumeSignal,
    'Repeats the model call that waits for an operator.',
    () => void (inbox.resume = true),
  );
  on(api.clearQueuesSignal, 'Drops queued steering and follow-ups.', () => inbox.clear());
  on(api.clearSteeringSignal, 'Drops queued steering.', () => inbox.clear(['steering']));
  on(api.clearFollowUpSignal, 'Drops queued follow-ups.', () => inbox.clear(['followUp']));
  on(api.setQueueModeSignal, 'How a queue is taken: {queue, mode}.', (payload) =>
    setQueueMode(session, payload),
  );
  on<unknown[]>(
    api.resolveApprovalSignal,
    'Answers a pending approval: {id, approve, actor, reason?, argsDigest?}; the update of this name also says what became of it.',
    (...sent) => resolveApproval(session, sent),
  );
  on(api.resetSignal, 'Begins the view anew, once idle.', () => void (inbox.reset = true));
  on(
    api.shutdownSignal,
    'No new prompt; the current run finishes; the session completes.',
    () => void (inbox.closing = true),
  );
  for (const name of settingNames) {
    on<[unknown]>(api.settingSignals[name], 'Takes effect with the next run.', (value) => {
      const parsed = parseSetting(name, value);
      if (parsed.ok) session.store.record({ type: 'settings_changed', settings: parsed.value });
      else ignore(session, `A ${name} signal`, parsed.code, parsed.reason);
    });
  }
}

function enqueue(session: Session, queue: QueueName, payload: unknown): void {
  const what = `A ${queue} message`;
  const parsed = parseQueued(payload, queue === 'steering' ? 'steer' : 'follow_up');
  if (!parsed.ok) return ignore(session, what, parsed.code, parsed.reason);
  const { id, message, mode } = parsed.value;
  const { run } = session.state;
  // one that ends is only wrapped up: the message waits for what comes after it
  const goesOn = run !== undefined && run.end === undefined;
  const interrupts = mode === 'interrupt' && goesOn;
  if (!session.inbox.hasRoom(message)) {
    return ignore(session, what, 'QueueFull', `${id} found too many messages waiting; send it again later`);
  }
  const accepted = session.inbox.put(queue, { id, message }, { whileIdle: !session.busy, interrupts });
  if (accepted && interrupts) session.stopper.stopAll();
}

function resolveApproval(session: Session, [first, rest]: readonly unknown[]): void {
  const what = 'A resolveApproval signal';
  const parsed = parseApproval(first, rest);
  if (!parsed.ok) return ignore(session, what, parsed.code, parsed.reason);
  const reason = session.approvals.refusal(parsed.value);
  if (reason === undefined) session.approvals.answer(parsed.value);
  else ignore(session, what, 'NotPending', reason);
}

function setQueueMode(session: Session, payload: unknown): void {
  const parsed = parseQueueMode(payload);
  if (parsed.ok) session.inbox.setMode(parsed.value.queue, parsed.value.mode);
  else ignore(session, 'A setQueueMode signal', parsed.code, parsed.reason);
}

function ignore(session: Session, what: string, code: string, reason: string): void {
  const message = `${what} was ignored: ${reason}.`;
  session.store.announce({ type: 'warning', code: `Message.${code}`, message });
}

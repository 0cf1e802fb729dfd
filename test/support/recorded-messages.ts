// What callers sent to the sessions of the recorded histories, and what they got: the values as they were on the wire.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** `part` is the schema that it belongs to; `value` has the form of that schema. */
export type RecordedMessage = {
  history: string;
  part: 'input' | 'output' | 'signals' | 'updates';
  value: unknown;
};

type Payloads = { payloads?: { data?: string }[] };
type Attributes = Record<string, unknown>;

const folder = join(import.meta.dirname, '../replay/histories');

export function recordedMessages(): RecordedMessage[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { events }: { events: Attributes[] } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return (isSession(events) ? messagesOf(events) : []).map((message) => ({ history: file, ...message }));
    });
}

/** Task boards and deliveries are workflows of another type. */
function isSession([first]: Attributes[]): boolean {
  const started = first?.['workflowExecutionStartedEventAttributes'] as { workflowType: { name: string } };
  return started.workflowType.name === 'agentSession';
}

function messagesOf(events: Attributes[]): Omit<RecordedMessage, 'history'>[] {
  const updates = new Map<string, { name: string; args: unknown[] }>();
  return events.flatMap((event): Omit<RecordedMessage, 'history'>[] => {
    const at = (name: string): Attributes | undefined =>
      event[`workflowExecution${name}EventAttributes`] as Attributes;
    const [started, signaled, accepted] = [at('Started'), at('Signaled'), at('UpdateAccepted')];
    const [answered, completed] = [at('UpdateCompleted'), at('Completed')];
    if (started) return valuesOf(started['input']).map((value) => ({ part: 'input', value }));
    if (completed) return valuesOf(completed['result']).map((value) => ({ part: 'output', value }));
    if (signaled) {
      const value = { [String(signaled['signalName'])]: valuesOf(signaled['input']) };
      return [{ part: 'signals', value }];
    }
    if (accepted) {
      const { name, args } = (accepted['acceptedRequest'] as { input: { name: string; args?: Payloads } })
        .input;
      updates.set(String(accepted['protocolInstanceId']), { name, args: valuesOf(args) });
    }
    const { updateId } = (answered?.['meta'] ?? {}) as { updateId?: string };
    const update = updates.get(updateId ?? '');
    if (!answered || !update) return [];
    const [answer] = valuesOf((answered['outcome'] as { success?: unknown }).success);
    return [{ part: 'updates', value: { [update.name]: { args: update.args, answer } } }];
  });
}

function valuesOf(list: unknown): unknown[] {
  const { payloads = [] } = (list ?? {}) as Payloads;
  return payloads.map(
    ({ data = '' }) => JSON.parse(Buffer.from(data, 'base64').toString() || 'null') as unknown,
  );
}

// A group of alerts in the Temporal UI: search attributes and details. Runs in the workflow. No text of a sender in search
// attributes, which are never encrypted.
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { AlertGroup } from '../core/alerts/alert-group.ts';
import { describeFates } from '../core/alerts/alert-record.ts';
import type { AlertGroupInput } from '../core/alerts/alert.ts';
import { plainLine } from '../core/base/plain-markdown.ts';
import { moment } from '../core/alerts/words.ts';

const shown = 30;

export class GroupDetails {
  readonly #input: AlertGroupInput;
  readonly #group: AlertGroup;
  #written = '';

  constructor(input: AlertGroupInput, group: AlertGroup) {
    this.#input = input;
    this.#group = group;
  }

  update(): void {
    this.#upsert();
    const { alerts, sessions, archived } = this.#group.state;
    const lines = [
      `**${describeFates(alerts)}**${archived.alerts > 0 ? `, and ${archived.alerts} older ones` : ''}`,
      '',
      ...alerts
        .slice(-shown)
        .reverse()
        .map(
          ({ name, what, times, fate }) =>
            `- **${fate.kind}** ${plainLine(name)} ${plainLine(what)}${times > 1 ? ` (${times} times)` : ''}: ${plainLine(fate.because)}, ${moment(fate.at)}`,
        ),
      '',
      ...sessions.toReversed().map(({ id, outcome = 'running' }) => `- session \`${id}\`: ${outcome}`),
    ];
    setCurrentDetails(lines.join('\n'));
  }

  #upsert(): void {
    const { receiver, searchAttributes } = this.#input;
    const fates = [...new Set(this.#group.state.alerts.map(({ fate }) => fate.kind))].toSorted();
    const written = fates.join(' ');
    if (written === this.#written) return;
    this.#written = written;
    const pairs = [
      { key: { name: 'AlertReceiver', type: 'KEYWORD' as const }, value: receiver },
      { key: { name: 'AlertFates', type: 'KEYWORD_LIST' as const }, value: fates },
    ].filter(({ key }) => searchAttributes.includes(key.name));
    // the server refuses a task with none, forever
    if (pairs.length > 0) upsertSearchAttributes(pairs);
  }
}

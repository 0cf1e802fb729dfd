// Compares the session's report and answer with the demo's own record of the system, and prints the differences.
import { describeIncident, findContradictions, readRecord } from './checkout/record.ts';
import { textFor } from '../../../src/cli/live/follow-session.ts';
import type { SessionHandle } from '../../../src/client.ts';
import type { RunResult } from '@holdfast/vocabulary/run-result';
import type { DemoSetting } from './demo-setting.ts';

/** False if a sentence of the report or the answer contradicts the record. */
export async function checkRecord(
  { frame, incident }: DemoSetting,
  session: SessionHandle,
  result: RunResult,
): Promise<boolean> {
  const { output } = frame;
  const record = await readRecord(incident);
  const report = (await session.report(result)) ?? '';
  const contradictions = findContradictions(
    `${result.answer}\n${result.lastWords ?? ''}\n${report}`,
    record,
    incident.plan,
  );
  output.emit({ type: 'record', ...record, contradictions });
  const { wrap } = await textFor(output);
  output.print(wrap(`By the demo's own record, ${describeIncident(record)}.`));
  if (contradictions.length === 0) return true;
  output.say(
    output.colors.red(
      [
        "\nTHE REPORT IS WRONG. It contradicts the demo's own record:",
        ...contradictions.map((one) => `  ${one}`),
      ].join('\n'),
    ),
  );
  return false;
}

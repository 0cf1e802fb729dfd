// What the messages of a log name in the artifact store, copied to another session: its agent can read outputs of
// calls that it did not make, and quote them. Runs in Node.
import type { AgentState } from '../../core/model/agent-state.ts';
import type { LogRecord, Message } from '../../core/model/messages.ts';
import { reportJsonName } from '../../core/report/report.ts';
import type { ReportRef } from '../../core/model/run-result.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { storeUnavailable } from './segments.ts';

const atOnce = 8;

/** How many of the named artifacts the store lacks. */
export async function copyArtifacts(
  artifacts: ArtifactStore,
  from: string,
  to: string,
  names: ReadonlySet<string>,
): Promise<number> {
  if (from === to) return 0;
  const queue = [...names];
  let missing = 0;
  const copyNext = async (): Promise<void> => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const bytes = await artifacts.get(from, name).catch(storeUnavailable);
      if (bytes === undefined) missing += 1;
      else await artifacts.put(to, name, bytes).catch(storeUnavailable);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, copyNext));
  return missing;
}

/** Outputs, images and reports of the log and of the batch in hand. */
export function artifactsOf({ run, lastResult }: AgentState, records: LogRecord[]): Set<string> {
  const answers = run?.batch.flatMap(({ answer }) => (answer ? [answer.message] : [])) ?? [];
  const messages = [...records, ...answers, ...(run?.pending ?? [])];
  const reports = [run?.report, lastResult?.report];
  return new Set([...messages.flatMap(namedBy), ...reports.flatMap(filesOf)]);
}

function namedBy(message: Message): string[] {
  if (message.role === 'custom') return [];
  const images = message.content.flatMap((part) => (part.type === 'image' ? [part.artifactId] : []));
  const output = message.role === 'tool_result' ? message.artifactId : undefined;
  return output === undefined ? images : [...images, output];
}

function filesOf(report: ReportRef | undefined): string[] {
  return report ? [report.artifactId, reportJsonName(report.artifactId)] : [];
}

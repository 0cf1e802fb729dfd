// The artifacts that a session names, copied for a session that continues it. Runs in Node.
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { type LogRecord, type Message, picturesOf } from '@holdfast/vocabulary/messages';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { reportJsonName } from '@holdfast/report/report';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { type Logged, withLoggedOutputs } from '@holdfast/stored/logged-outputs';
import { getImage } from '@holdfast/stored/session-names';
import { piecesNamedBy } from '@holdfast/stored/stored-output';
import { storeUnavailable } from '../storage/segments.ts';
import { answersSoFar } from './answered-beside.ts';
import { skillArtifact } from '@holdfast/stored/artifact-names';

const atOnce = 8;

/** Artifacts that `messages` have whole are there in any case. Returns those of the others that the store lacks. */
export async function copyArtifacts(
  artifacts: ArtifactStore,
  { from, to }: { from: string; to: string },
  messages: readonly Logged[],
  names: ReadonlySet<string>,
): Promise<Set<string>> {
  const missing = new Set<string>();
  if (from === to) return missing;
  const source = withLoggedOutputs(artifacts, () => Promise.resolve(messages));
  const queue = [...names];
  const copyNext = async (): Promise<void> => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const bytes = await (
        name.startsWith('image-') ? getImage(source, from, name) : source.get(from, name)
      ).catch(storeUnavailable);
      if (bytes === undefined) missing.add(name);
      else {
        queue.push(...piecesNamedBy(name, bytes));
        await artifacts.put(to, name, bytes).catch(storeUnavailable);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, copyNext));
  return missing;
}

/** The log, and the messages that are not in it yet. */
export function messagesOf({ run }: AgentState, records: readonly LogRecord[]): Logged[] {
  return [...records, ...answersSoFar(run), ...(run?.pending ?? [])];
}

/** Outputs, images and reports of the log and of the current batch, and skills. */
export function artifactsOf(
  { run, lastResult, context }: AgentState,
  messages: readonly Message[],
): Set<string> {
  const reports = [run?.report, lastResult?.report];
  // a continued run reads the skills that it began with
  const skills = run ? (context?.skills ?? []).map(({ sha256 }) => skillArtifact(sha256)) : [];
  return new Set([...messages.flatMap(namedBy), ...reports.flatMap(filesOf), ...skills]);
}

function namedBy(message: Message): string[] {
  const images = picturesOf(message).flatMap((part) => (part.data === undefined ? [part.artifactId] : []));
  const output = message.role === 'tool_result' ? message.artifactId : undefined;
  return output === undefined ? images : [...images, output];
}

function filesOf(report: ReportRef | undefined): string[] {
  return report ? [report.artifactId, reportJsonName(report.artifactId)] : [];
}

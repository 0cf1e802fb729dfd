// The words of a subagent as its parent names them, `<name>/result` and `<name>/report`: whole, where the result of the
// delegation has only a part. Runs in Node; reads only.
import { withoutAdvice } from '@holdfast/base/failures';
import { lastWordsOf, type LogRecord } from '@holdfast/vocabulary/messages';
import type { ArtifactReader } from './artifact-names.ts';
import { childrenIn } from './logged-calls.ts';
import { type StoredOutput, onePiece } from './stored-output.ts';
import { readStoredLog, readStoredResult, readText } from './stored-session.ts';

/** Undefined if the log names no such subagent, or its text is not stored. */
export async function openSubagentText(
  artifactId: string,
  artifacts: ArtifactReader,
  readLog: () => Promise<readonly LogRecord[]>,
): Promise<StoredOutput | undefined> {
  const [, name, what] = /^(.+)\/(result|report)$/.exec(artifactId) ?? [];
  const child = name && childrenIn(await readLog()).find((each) => each.name === name);
  const result = child ? await readStoredResult(artifacts, child.sessionId) : undefined;
  if (!child || !result) return undefined;
  const { completion, report, answer } = result;
  if (what === 'report') {
    const text = report && (await readText(artifacts, child.sessionId, report.artifactId));
    return text === undefined ? undefined : onePiece(withoutAdvice(text));
  }
  const words = lastWordsOf((await readStoredLog(artifacts, child.sessionId)) ?? []) || answer;
  const said = [completion?.summary, completion?.caveats, words].filter((text = '') => text.trim() !== '');
  return onePiece(said.join('\n\n'));
}

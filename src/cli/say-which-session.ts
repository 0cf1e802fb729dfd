// Says which session of an id that was used again is shown, and the names of the others.
import type { ArtifactReader } from '../stored/artifact-names.ts';
import { markedName, namedIn, readNames, withoutMark } from '../stored/session-names.ts';
import type { Output } from './cli.ts';

export async function sayWhichSession(output: Output, store: ArtifactReader, asked: string): Promise<void> {
  const id = withoutMark(asked);
  const names = await readNames(store, id);
  const shown = namedIn(names, asked);
  if (names.length < 2 || shown === undefined) return;
  const others = names
    .filter(({ execution }) => execution !== shown.execution)
    .map(({ execution, startedAt }) => `${markedName(id, execution)} (of ${startedAt})`);
  const all = [`this one, of ${shown.startedAt}`, ...others].join(', and ');
  output.say(`${names.length} sessions have stored as ${id}: ${all}.`);
}

// A report as it is in the artifact store: Markdown, and JSON beside it. Runs in Node.
import type { Json } from '../../core/base/json.ts';
import { renderReport } from '../../core/report/report-markdown.ts';
import { type Report, reportJsonName } from '../../core/report/report.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { storeUnavailable } from '../storage/segments.ts';

/** Under the name of its Markdown form; the JSON goes first, so that a reader of the Markdown finds it. */
export async function storeReport(
  artifacts: Pick<ArtifactStore, 'put'>,
  sessionId: string,
  artifactId: string,
  report: Report,
): Promise<void> {
  await artifacts.put(sessionId, reportJsonName(artifactId), JSON.stringify(report, null, 2));
  await artifacts.put(sessionId, artifactId, renderReport(report));
}

/** By the name of its Markdown form. Rejects where it is not there. */
export async function readReport(
  artifacts: Pick<ArtifactStore, 'get'>,
  sessionId: string,
  artifactId: string,
): Promise<Report> {
  const name = reportJsonName(artifactId);
  const bytes = await artifacts.get(sessionId, name).catch(storeUnavailable);
  if (bytes === undefined) throw new Error(`The report ${name} is not in the artifact store.`);
  return fromStore(JSON.parse(new TextDecoder().decode(bytes)));
}

/** The one place where a stored report gets its type: workers alone write them. */
function fromStore(value: Json): Report {
  return value as Report;
}

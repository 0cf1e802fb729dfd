// Looks quotes up in the stored outputs of this session's calls. Runs in Node; reads the store, writes nothing.
import type { LogRecord } from '../../core/messages.ts';
import { findQuote } from '../../core/quotes.ts';
import type { CheckedClaim, CheckedQuote } from '../../core/report.ts';
import type { ReportInput } from '../../core/tools/report.ts';
import { isArtifactName, toolOutputPrefix } from '../artifact-store.ts';
import { toolOutputId } from '../tool-output-id.ts';
import type { ToolContext } from './tool-handler.ts';

type Source = Pick<ToolContext, 'sessionId' | 'artifacts'>;
type Quote = { callId: string; quote: string };

/** Every claim with its mark. Rejects where the store cannot be read. */
export async function checkClaims(
  claims: ReportInput['claims'],
  source: Source,
  log: LogRecord[],
): Promise<CheckedClaim[]> {
  const outputs = createOutputs(source);
  return Promise.all(
    claims.map(async ({ text, quotes }) => {
      const checked = await Promise.all(quotes.map((quote) => checkQuote(quote, outputs, log)));
      return {
        text,
        verified: checked.length > 0 && checked.every((quote) => quote.verified),
        quotes: checked,
      };
    }),
  );
}

async function checkQuote(quote: Quote, outputs: Outputs, log: LogRecord[]): Promise<CheckedQuote> {
  const artifactId = toolOutputId(quote.callId);
  const output = await outputs.read(artifactId);
  const found = output === undefined ? undefined : findQuote(output, quote.quote);
  if (found !== undefined) return { ...quote, verified: true, position: { artifactId, ...found } };
  const reason =
    output === undefined ? whyNoOutput(quote.callId, log) : 'it does not stand in the output of that call';
  return { ...quote, verified: false, reason: reason + (await hint(quote, outputs, log)) };
}

function whyNoOutput(callId: string, log: LogRecord[]): string {
  const result = log.find((record) => record.role === 'tool_result' && record.callId === callId);
  if (result?.role !== 'tool_result') return 'there is no such call in this session';
  if (result.toolName === 'report') return 'a report is no evidence';
  return 'that call has no stored output (it did not run, or its output was not kept)';
}

// Models mix up call ids; where the words are real, one more report mends it.
async function hint(quote: Quote, outputs: Outputs, log: LogRecord[]): Promise<string> {
  for (const record of log) {
    if (record.role !== 'tool_result' || record.callId === quote.callId) continue;
    const output = await outputs.read(toolOutputId(record.callId));
    if (output !== undefined && findQuote(output, quote.quote) !== undefined) {
      return `; it stands in the output of call ${record.callId} (${record.toolName})`;
    }
  }
  return '';
}

type Outputs = { read(artifactId: string): Promise<string | undefined> };

/** Each output is loaded once, however many quotes name it. */
function createOutputs({ sessionId, artifacts }: Source): Outputs {
  const loaded = new Map<string, Promise<string | undefined>>();
  return {
    read(artifactId) {
      if (!isArtifactName(artifactId) || !artifactId.startsWith(toolOutputPrefix))
        return Promise.resolve(undefined);
      const known = loaded.get(artifactId) ?? load(artifacts, sessionId, artifactId);
      loaded.set(artifactId, known);
      return known;
    },
  };
}

async function load(
  artifacts: ToolContext['artifacts'],
  sessionId: string,
  artifactId: string,
): Promise<string | undefined> {
  const bytes = await artifacts.get(sessionId, artifactId);
  return bytes === undefined ? undefined : new TextDecoder('utf-8').decode(bytes);
}

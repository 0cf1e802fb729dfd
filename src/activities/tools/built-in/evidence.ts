// Looks quotes up in the stored outputs of this session's calls. Runs in Node; reads the store, writes nothing.
import { findQuote } from '../../../core/report/report.ts';
import type { CheckedClaim, CheckedQuote } from '../../../core/report/report.ts';
import type { ReportInput } from '../../../core/tools/built-in/report.ts';
import { isArtifactName, toolOutputPrefix } from '../../storage/artifact-store.ts';
import { toolOutputId } from '../tool-output-id.ts';
import { sourceOf } from './logged-calls.ts';
import type { LoggedCalls } from './logged-calls.ts';
import type { ToolContext } from '../tool-handler.ts';

type Session = Pick<ToolContext, 'sessionId' | 'artifacts' | 'toolSpec' | 'redact'>;
type Quote = { callId: string; quote: string };

/** Every claim with its mark. Rejects where the store cannot be read. */
export async function checkClaims(
  claims: ReportInput['claims'],
  session: Session,
  calls: LoggedCalls,
): Promise<CheckedClaim[]> {
  const outputs = createOutputs(session);
  return Promise.all(
    claims.map(async ({ text, quotes }) => {
      const checked = await Promise.all(quotes.map((quote) => checkQuote(quote, outputs, calls, session)));
      return {
        text,
        verified: checked.length > 0 && checked.every((quote) => quote.verified),
        quotes: checked,
      };
    }),
  );
}

async function checkQuote(
  { callId, quote }: Quote,
  outputs: Outputs,
  calls: LoggedCalls,
  session: Session,
): Promise<CheckedQuote> {
  const logged = calls.get(callId);
  const source = logged && sourceOf(logged, session);
  const named = { callId, quote, ...(source ? { source } : {}) };
  const artifactId = toolOutputId(callId);
  const output = await outputs.read(artifactId);
  const found = output === undefined ? undefined : findQuote(output, quote);
  if (found !== undefined) return { ...named, verified: true, position: { artifactId, ...found } };
  const reason = output === undefined ? whyNoOutput(callId, calls) : 'it is not in the output of that call';
  return { ...named, verified: false, reason: reason + (await hint({ callId, quote }, outputs, calls)) };
}

function whyNoOutput(callId: string, calls: LoggedCalls): string {
  const result = calls.get(callId)?.result;
  if (result === undefined) return 'there is no such call in this session';
  if (result.toolName === 'report') return 'a report is no evidence';
  return 'that call has no stored output (it did not run, or its output was not kept)';
}

// Models mix up call ids; where the words are real, one more report corrects it.
async function hint(quote: Quote, outputs: Outputs, calls: LoggedCalls): Promise<string> {
  for (const { call, result } of calls.values()) {
    if (result === undefined || call.callId === quote.callId) continue;
    const output = await outputs.read(toolOutputId(call.callId));
    if (output !== undefined && findQuote(output, quote.quote) !== undefined) {
      return `; it is in the output of call ${call.callId} (${call.name})`;
    }
  }
  return '';
}

type Outputs = { read(artifactId: string): Promise<string | undefined> };

/** Each output is loaded once, however many quotes name it. */
function createOutputs({ sessionId, artifacts }: Session): Outputs {
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

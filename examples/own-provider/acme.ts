// A provider of your own: Acme, a vendor whose wire Holdfast does not speak. It sends one POST with the turns so far and
// reads one JSON object a line. In a project of yours, import from 'holdfast'.
import { ProviderError } from '../../src/config/define-config.ts';
import type {
  ModelFailure,
  OwnModelProvider,
  ProviderCallOptions,
  ProviderRequest,
  ReplyPiece,
} from '../../src/config/define-config.ts';

type Line =
  | { kind: 'words'; value: string }
  | { kind: 'use'; id: string; tool: string; with: object }
  | { kind: 'spent'; in: number; out: number }
  | { kind: 'done'; why: 'end' | 'tools' | 'length' }
  | { kind: 'trouble'; problem: string };

const reasons = { end: 'stop', tools: 'tool_use', length: 'length' } as const;

/** Acme is out of breath: it says so in the middle of its reply. */
class AcmeBusy extends Error {}

export function createAcme(url: string): OwnModelProvider {
  return { call: (request, options) => callAcme(url, request, options), classify };
}

async function* callAcme(
  url: string,
  request: ProviderRequest,
  { signal, apiKey, fetch }: ProviderCallOptions,
): AsyncGenerator<ReplyPiece> {
  const response = await fetch(`${url}/v1/talk`, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', authorization: `Acme ${apiKey}` },
    body: JSON.stringify(toBody(request)),
  });
  // the status decides what follows: 429 is retried after Retry-After, 401 waits for an operator, ...
  if (!response.ok || response.body === null) {
    throw new ProviderError(await response.text(), { status: response.status, headers: response.headers });
  }
  for await (const line of linesOf(response.body)) yield* toPieces(line);
}

function toBody({ model, systemPrompt, messages, tools, maxResponseTokens }: ProviderRequest): object {
  const turns = messages.flatMap((message): object[] => {
    if (message.role === 'tool_result') {
      return [{ who: 'tool', id: message.callId, text: textOf(message.content), failed: message.isError }];
    }
    if (message.role === 'user') return [{ who: 'person', text: textOf(message.content) }];
    const uses = message.content.flatMap((part) =>
      part.type === 'tool_call' ? [{ id: part.callId, tool: part.name, with: part.arguments }] : [],
    );
    return [{ who: 'model', text: textOf(message.content), uses }];
  });
  const offered = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return { model: model.id, persona: systemPrompt, turns, tools: offered, limit: maxResponseTokens };
}

function textOf(content: readonly { type: string; text?: string }[]): string {
  return content.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\n');
}

function* toPieces(line: Line): Generator<ReplyPiece> {
  switch (line.kind) {
    case 'words':
      yield { type: 'text', text: line.value };
      break;
    case 'use':
      yield { type: 'tool_call', id: line.id, name: line.tool, arguments: line.with };
      break;
    case 'spent':
      yield { type: 'usage', input: line.in, output: line.out };
      break;
    case 'done':
      yield { type: 'stop', reason: reasons[line.why] };
      break;
    case 'trouble':
      throw new AcmeBusy(line.problem);
  }
}

/** Undefined leaves an error to Holdfast, which knows HTTP statuses and failed connections. */
function classify(error: unknown): ModelFailure | undefined {
  if (!(error instanceof AcmeBusy)) return undefined;
  return { type: 'Model.Overloaded', message: `Acme is busy: ${error.message}.`, retryAfterMs: 2_000 };
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
}

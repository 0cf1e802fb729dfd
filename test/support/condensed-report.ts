// A model that looks at eight things and reports on them by the call ids that it can see in its last request; and what a
// report says, without what differs from run to run.
import type { ModelProvider } from '../../src/activities/model/providers/model-provider.ts';
import { createReportTool } from '../../src/activities/tools/built-in/report/report.ts';
import type { RegisteredTool } from '../../src/activities/tools/define-tool.ts';
import type { AssistantContent } from '../../src/core/model/messages.ts';
import { textOf, toolCallsOf } from '../../src/core/model/messages.ts';
import type { ModelRequest } from '../../src/core/model/model-call.ts';
import type { Report } from '../../src/core/report/report.ts';
import { echoTool } from './session-worker.ts';

export const lookWindow = 100_000;
const looks = 8;

/** `condenses` of its turns are counted as near the window. */
export function reporter(condenses: number): {
  model: ModelProvider;
  tools: RegisteredTool[];
  summaries: () => number;
} {
  let asked = 0;
  let summaries = 0;
  const model: ModelProvider = {
    name: 'scripted',
    call: async (request) => {
      const main = request.metadata.purpose === 'main';
      if (main) asked++;
      else summaries++;
      return { message: toReply(main ? next(request) : [{ type: 'text', text: 'ok' }], request, main) };
    },
  };
  const next = (request: ModelRequest): AssistantContent[] => {
    if (asked <= looks) return [call(`look_${asked}`, 'echo', { text: `line ${asked}: pool timeout` })];
    if (asked === looks + 1) return [call('report_1', 'report', reportOn(request))];
    return [{ type: 'text', text: 'The pool is too small.' }];
  };
  const toReply = (content: AssistantContent[], { model: ref }: ModelRequest, main: boolean) => ({
    role: 'assistant' as const,
    content,
    model: ref,
    usage: { cacheRead: 0, cacheWrite: 0, output: 5, input: main && isFull(asked) ? 90_000 : 100 },
    stopReason: content.some(({ type }) => type === 'tool_call') ? ('tool_use' as const) : ('stop' as const),
  });
  // the last ones, so that each finds something to fold
  const isFull = (turn: number): boolean => turn <= looks && turn > looks - condenses;
  return { model, tools: [echoTool(), createReportTool()], summaries: () => summaries };
}

function call(callId: string, name: string, args: object): AssistantContent {
  return { type: 'tool_call', callId, name, arguments: JSON.stringify(args) };
}

function reportOn(request: ModelRequest): object {
  const claims = Array.from({ length: looks }, (_, at) => {
    const line = `line ${at + 1}: pool timeout`;
    return { text: `Found ${line}.`, quotes: [{ callId: idOf(line, request), quote: line }] };
  });
  return { summary: 'The pool is too small.', grade: 'confirmed', claims };
}

/** As a model would find it: in a call that it sees, or in the words before the messages. */
function idOf(line: string, { messages }: ModelRequest): string {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message) : []));
  const seen = calls.find(({ arguments: args }) => args.includes(line))?.callId;
  const words = messages
    .filter(({ role }) => role === 'user')
    .map(textOf)
    .join('\n');
  const listed = words.split('\n').find((each) => each.startsWith('- echo') && each.includes(line));
  return seen ?? listed?.split(': ').at(-1) ?? 'forgotten';
}

/** Claim by claim. */
export function claimsOf({ claims, grade }: Report): object {
  return {
    grade,
    claims: claims.map(({ text, verified, quotes }) => ({
      text,
      verified,
      quotes: quotes.map(({ callId, quote, verified: found, position, source }) => ({
        callId,
        quote,
        found,
        position,
        tool: source?.tool,
        argument: source?.argument,
      })),
    })),
  };
}

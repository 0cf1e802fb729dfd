// A toolset's tool that reads by code of this program: for sources whose own client is a library. Runs in Node.
import { mapValuesAsync } from '../../../packages/base/src/map-values.ts';
import { messageOf } from '../../../packages/base/src/message-of.ts';
import type { Json } from '../../../packages/base/src/json.ts';
import { toOneLine } from '../../../packages/redaction/src/sanitise.ts';
import { defineTool, type RegisteredTool, type ToolReturn } from '../tools/define-tool.ts';
import { bySigns, notReachable } from './answer.ts';
import { codeHandlers } from './code/handlers.ts';
import { definitionOf, withTimes } from '../../../packages/sources/src/parameters.ts';
import { assertShown, factsOf } from './shown-call.ts';
import { shownAnswer } from './shown-answer.ts';
import { fillJson, type Values } from '../../../packages/sources/src/template.ts';
import type { ToolsetCode, ToolsetTool } from '../../../packages/sources/src/toolset.schema.ts';
import { toValues, type ToolsetPlace } from './toolset-place.ts';

const defaultTimeoutMs = 30_000;

export type CodeDeclaration = ToolsetTool & { code: ToolsetCode };

export function createCodeTool(declared: CodeDeclaration, place: ToolsetPlace): RegisteredTool {
  const { code } = declared;
  const timeoutMs = declared.timeoutMs ?? defaultTimeoutMs;
  const requestOf = (input: Values): Json =>
    // the model's own text is no template
    (code.with === undefined ? (input as Json) : fillJson(code.with, toValues(input, place.settings))) ??
    null;
  const shownOf = (input: Values): string => `${code.run} ${JSON.stringify(requestOf(input))}`;
  return defineTool({
    ...definitionOf(declared, place.toolset),
    effect: 'read',
    timeoutMs: timeoutMs + 5_000,
    inspect: (input) =>
      factsOf(shownOf(input as Values), { effect: 'read', command: shownOf(input as Values) }),
    run: async (input, { basis, signal, redact }) => {
      assertShown(shownOf(input as Values), basis);
      const timed = withTimes(input as Values, declared, place.now());
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const raw = await codeHandlers[code.run](requestOf(timed), {
          settings: await settingsOf(place),
          signal: AbortSignal.any([signal, deadline]),
        });
        return await shownAnswer({ text: raw }, { declared, input: timed, place, redact }, {});
      } catch (error) {
        signal.throwIfAborted();
        return deadline.aborted
          ? notReachable(`${code.run} gave no answer within ${timeoutMs} ms.`)
          : toFailure(error, place);
      }
    },
  });
}

/** With the values of secrets: made in the activity, never kept. */
async function settingsOf({ settings, resolve }: ToolsetPlace): Promise<Record<string, string>> {
  const texts = Object.entries(settings).map(([name, value]) => [
    name.replace(/^settings\./, ''),
    typeof value === 'string' ? value : '',
  ]);
  return mapValuesAsync(Object.fromEntries(texts), resolve);
}

function toFailure(error: unknown, place: ToolsetPlace): ToolReturn {
  const kind = error instanceof Error ? `${error.name}: ` : '';
  const text = toOneLine(`${kind}${messageOf(error)}`, 1_000);
  return bySigns(text, place) ?? { text, isError: true };
}

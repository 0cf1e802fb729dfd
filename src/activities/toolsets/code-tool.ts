// A toolset's tool that reads by code of this program: for sources whose own client is a library. Runs in Node.
import { mapValuesAsync } from '@holdfast/base/map-values';
import { messageOf } from '@holdfast/base/message-of';
import type { Json } from '@holdfast/base/json';
import { toOneLine } from '@holdfast/redaction/sanitise';
import type { RegisteredTool, ToolReturn } from '../tools/define-tool.ts';
import { bySigns, notReachable } from './answer.ts';
import { codeHandlers } from './code/handlers.ts';
import { createSourceTool } from './source-tool.ts';
import { shownAnswer } from './shown-answer.ts';
import { fillJson, type Values } from '@holdfast/sources/template';
import type { ToolsetCode, ToolsetTool } from '@holdfast/sources/toolset.schema';
import { toValues, type ToolsetPlace } from './toolset-place.ts';

export type CodeDeclaration = ToolsetTool & { code: ToolsetCode };

export function createCodeTool(declared: CodeDeclaration, place: ToolsetPlace): RegisteredTool {
  const { code } = declared;
  const requestOf = (input: Values): Json =>
    // the model's own text is no template
    (code.with === undefined ? (input as Json) : fillJson(code.with, toValues(input, place.settings))) ??
    null;
  return createSourceTool({ ...declared, effect: 'read' }, place, {
    prepare(input) {
      const shown = `${code.run} ${JSON.stringify(requestOf(input))}`;
      return { shown, action: { effect: 'read', command: shown } };
    },
    async run(_, call) {
      const { signal } = call.context;
      const deadline = AbortSignal.timeout(call.timeoutMs);
      try {
        const raw = await codeHandlers[code.run](requestOf(call.input), {
          settings: await settingsOf(place),
          signal: AbortSignal.any([signal, deadline]),
        });
        return await shownAnswer({ text: raw }, call, {});
      } catch (error) {
        signal.throwIfAborted();
        return deadline.aborted
          ? notReachable(`${code.run} gave no answer within ${call.timeoutMs} ms.`)
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

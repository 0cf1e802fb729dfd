// The view reducers by the names that a config uses: their parameters, and their effect on a view. Pure.
import { parseJson } from '@holdfast/base/json';
import type { ViewReducerName, ViewReducerSpec } from '@holdfast/vocabulary/agent-spec';
import type { AgentState, ViewReduction } from '@holdfast/vocabulary/agent-state';
import type { ToolCallPart, ToolResultMessage, LogRecord } from '@holdfast/vocabulary/messages';
import { textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import { utf8Bytes } from '@holdfast/base/sizes';
import { viewEntries } from '../view-entries.ts';
import { cutText } from '@holdfast/base/cut-text';
import { fitMessage } from './fit-window.ts';

/**
 * Shortens old tool results in the view; the log keeps them whole. A change in an epoch of the view applies to every
 * request of that epoch, and nothing more changes in it.
 */
type ViewReducer<Params extends object> = {
  /** Default values; they also define the names of the parameters. All are numbers above 0. */
  defaults: Params;
  /** Last seq of the log that may be shortened now; `inputTokens` is the size of the next request as it is. */
  reach(state: AgentState, params: Params, inputTokens: number): number | undefined;
  /** The message in place of a result. `call` is the call that it answers, if the view has it. */
  apply(result: ToolResultMessage, params: Params, call: ToolCallPart | undefined): ToolResultMessage;
};

/** The same message with another text; with `keepsImages` its images stay. */
function withText(result: ToolResultMessage, text: string, keepsImages = false): ToolResultMessage {
  const images = keepsImages ? result.content.filter((part) => part.type === 'image') : [];
  return { ...result, content: [{ type: 'text', text }, ...images] };
}

/** Cuts old results to their beginning; errors and the newest results stay whole (HOOK-10). */
const trimToolResults: ViewReducer<{ characters: number; keepLast: number }> = {
  defaults: { characters: 500, keepLast: 4 },
  reach(state, { keepLast }) {
    const results = viewEntries(state).filter(({ role }) => role === 'tool_result');
    return results.at(-keepLast - 1)?.seq;
  },
  apply(result, { characters }) {
    const text = textOf(result);
    if (result.isError || text.length <= characters) return result;
    return withText(result, cutText(text, characters, ` [cut: ${text.length} characters]`), true);
  },
};

/**
 * From a share of the context window on, replaces old results by the tool's name and their first words; errors and the
 * newest messages stay whole (HOOK-10).
 */
const observationMask: ViewReducer<{ share: number; keepLast: number; characters: number }> = {
  defaults: { share: 0.6, keepLast: 10, characters: 80 },
  reach(state, { share, keepLast }, inputTokens) {
    const window = state.context?.settings.model.contextWindow ?? 0;
    if (window === 0 || inputTokens < share * window) return undefined;
    return viewEntries(state).at(-keepLast - 1)?.seq;
  },
  apply(result, { characters }) {
    if (result.isError) return result;
    return withText(result, `[${result.toolName}] ${cutText(textOf(result), characters, '')}`);
  },
};

/** Characters kept of an error's first line. */
const errorLine = 100;

/**
 * Replaces results older than the newest user messages by a line that names their type and size; errors keep their
 * first line (COND-20).
 */
const staleToolResults: ViewReducer<{ age: number }> = {
  defaults: { age: 4 },
  reach(state, { age }) {
    // a prompt that was taken counts as newer, although its turn has not begun
    const pending = state.run?.pending.length ?? 0;
    if (pending >= age) return state.log.nextSeq - 1;
    const users = viewEntries(state).filter(({ role }) => role === 'user');
    const oldest = users.at(-(age - pending));
    return oldest && oldest.seq - 1;
  },
  apply(result, _params, call) {
    const text = textOf(result);
    if (result.isError) return withText(result, cutText(text.split('\n', 1)[0] ?? '', errorLine, ''));
    const lines = text === '' ? 0 : text.split('\n').length;
    return withText(
      result,
      `[Summary: Returned ${utf8Bytes(text)} bytes (${lines} lines) of ${typeOf(text, call)}]`,
    );
  },
};

/** Guessed from the content if possible, else from the extension of the file that the call names. */
function typeOf(text: string, call: ToolCallPart | undefined): string {
  const start = text.trimStart();
  if (/^[[{]/.test(start) && parseJson(start) !== undefined) return 'json';
  if (/^<(!doctype html|html)/i.test(start)) return 'html';
  if (start.startsWith('<?xml')) return 'xml';
  return extensionOf(call) ?? 'text';
}

function extensionOf(call: ToolCallPart | undefined): string | undefined {
  const path = /"path"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(call?.arguments ?? '')?.[1];
  return /\.([A-Za-z0-9]{1,10})$/.exec(path ?? '')?.[1]?.toLowerCase();
}

type BoundReducer = {
  /** The fault of the parameters; undefined if they are valid. */
  problemOf(params: ViewReducerSpec['params']): string | undefined;
  reach: ViewReducer<object>['reach'];
  apply: ViewReducer<object>['apply'];
};

/** The one place where parameters get their type: `problemOf` has checked them when the config was read. */
function bind<Params extends { [name: string]: number }>(reducer: ViewReducer<Params>): BoundReducer {
  const { defaults } = reducer;
  const complete = (params: object): Params => ({ ...defaults, ...params });
  return {
    problemOf: (params = {}) => problemOf(params, Object.keys(defaults)),
    reach: (state, params, inputTokens) => reducer.reach(state, complete(params), inputTokens),
    apply: (result, params, call) => reducer.apply(result, complete(params), call),
  };
}

function problemOf(params: object, known: string[]): string | undefined {
  for (const [name, value] of Object.entries(params)) {
    if (!known.includes(name)) return `has no parameter "${name}": expected ${known.join(', ')}`;
    if (typeof value !== 'number' || !(value > 0)) return `${name}: expected a number above 0`;
  }
  return undefined;
}

export const viewReducers = {
  trim_tool_results: bind(trimToolResults),
  observation_mask: bind(observationMask),
  stale_tool_results: bind(staleToolResults),
} as const satisfies Record<ViewReducerName, BoundReducer>;

/** Records of a view from its beginning; nothing after a reduction's `throughSeq` is changed. */
export function reducedRecords(
  reductions: readonly ViewReduction[] | undefined,
  records: readonly LogRecord[],
): readonly LogRecord[] {
  if (!reductions || reductions.length === 0) return records;
  const calls = new Map<string, ToolCallPart>();
  return records.map((record) => {
    if (record.role === 'assistant') for (const call of toolCallsOf(record)) calls.set(call.callId, call);
    return reductions.reduce(
      (reduced, reduction) =>
        record.seq > reduction.throughSeq ? reduced : reduceRecord(reduced, reduction, calls),
      record,
    );
  });
}

function reduceRecord(
  record: LogRecord,
  { name, params }: ViewReduction,
  calls: ReadonlyMap<string, ToolCallPart>,
): LogRecord {
  if (name === 'fit_window') return { ...record, ...fitMessage(record, params) };
  if (record.role !== 'tool_result') return record;
  return { ...record, ...viewReducers[name].apply(record, params, calls.get(record.callId)) };
}

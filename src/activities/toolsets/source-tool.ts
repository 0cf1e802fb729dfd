// The frame of every tool of a toolset, whatever asks the source: a call is prepared, shown to whoever approves it, and runs only as it
// was shown. A kind of tool is in a file of its own: a command, an HTTP request, code. Runs in Node.
import type { CallAction, CallFacts } from '@holdfast/vocabulary/tool-spec';
import { definitionOf, withTimes } from '@holdfast/sources/parameters';
import type { Values } from '@holdfast/sources/template';
import type { ToolsetTool } from '@holdfast/sources/toolset.schema';
import { defineTool, type RegisteredTool, type ToolContext, type ToolReturn } from '../tools/define-tool.ts';
import { notRun } from './answer.ts';
import { guardTimeoutMs, type StateBefore } from './guarded-change.ts';
import { assertShown, toCallFacts } from './shown-call.ts';
import type { AnsweredCall } from './shown-answer.ts';
import type { ToolsetPlace } from './toolset-place.ts';

/** A call that has not run. `before`: the state that it would change. */
export type Prepared = { shown: string; action: CallAction; before?: StateBefore | undefined };

/** A call that runs: `asked` are the arguments as they came, `input` those with times in the form of the tool at `now`. */
export type SourceCall = AnsweredCall & {
  asked: Values;
  now: number;
  context: ToolContext;
  /** Limit of the request alone; the tool has a little longer, to return a part. */
  timeoutMs: number;
};

export type SourceKind<Call extends Prepared> = {
  /** Secrets are not resolved: a person sees their references. A throw denies the call. */
  prepare(input: Values, signal: AbortSignal): Call | Promise<Call>;
  run(prepared: Call, call: SourceCall): Promise<ToolReturn>;
};

const defaultTimeoutMs = 30_000;
/** To return what came in part. */
const graceMs = 5_000;

export function createSourceTool<Call extends Prepared>(
  declared: ToolsetTool,
  place: ToolsetPlace,
  { prepare, run }: SourceKind<Call>,
): RegisteredTool {
  const { effect = 'once', change, timeoutMs = defaultTimeoutMs } = declared;
  return defineTool({
    ...definitionOf(declared, place.toolset),
    effect,
    timeoutMs: timeoutMs + graceMs + (change ? guardTimeoutMs : 0),
    async inspect(input): Promise<CallFacts> {
      const found = await prepare(input, AbortSignal.timeout(guardTimeoutMs));
      return { ...toCallFacts(found.shown, found.action, found.before), found };
    },
    run: async (asked, context) => {
      // of `inspect` above, in this attempt
      const inspected = context.found as Call | undefined;
      const prepared = inspected ?? (await prepare(asked, context.signal));
      const { shown, action, before } = prepared;
      if (before?.can === false) return notRun(before.reason, place);
      if (action.decision === 'deny')
        return { text: `Not run. ${action.reason}`, isError: true, outcome: 'refused' };
      assertShown(shown, context.basis, before?.basis);
      const now = place.now();
      const input = withTimes(asked, declared, now);
      return run(prepared, {
        declared,
        place,
        asked,
        input,
        now,
        context,
        timeoutMs,
        redact: context.redact,
      });
    },
  });
}

// The user's hooks around a request to a model: the first one listed is the outermost. Runs in the activity of the
// request, so nothing of it is in history but the reply, and a lost attempt is made again as a whole.
import { Context } from '@temporalio/activity';
import type { JsonObject } from '@holdfast/base/json';
import { describeIssues } from '@holdfast/base/schema-issues';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { FrozenHook } from '@holdfast/vocabulary/hook';
import { messageSchema } from '@holdfast/vocabulary/messages.schema';
import { type AssistantMessage, noUsage, textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import { type AroundDeps, toHookCall } from '../hooks/hook-call.ts';
import type { AroundModelCall, HookQuestion } from '../hooks/hook-definition.ts';
import { cleanJson } from '@holdfast/redaction/clean-output';
import type { Redactor } from '@holdfast/redaction/redaction';
import type { Completed } from './complete.ts';
import type { ModelBill } from './model-attempt.ts';
import { hookFailed } from './model-failure.ts';
import type { ModelFailure } from '@holdfast/providers/model-provider';

/** Names of the hooks of a run that go around its requests. */
export function aroundHooks({ hooks = [] }: Pick<FrozenContext, 'hooks'>): FrozenHook[] {
  return hooks.filter(({ points }) => points.includes('aroundModelCall'));
}

/** A model that gave no reply; thrown into the hooks around the request, which may ask again. */
class NoReply extends Error {
  override readonly name = 'NoReply';
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

export type AroundCall = {
  context: FrozenContext;
  /** Data that the run's hooks share, and the place for additions; absent beside the loop, where nothing is kept. */
  data?: JsonObject | undefined;
  share?: (more: JsonObject) => void;
  /** Asks a model beside this request, on the same bill. */
  ask(question: HookQuestion): Promise<string>;
};

/** Sends the request through the hooks of the run; without any it is sent as it is. Throws the failure of a hook. */
export async function completeThroughHooks(
  deps: AroundDeps | undefined,
  { context, data = {}, share = () => undefined, ask }: AroundCall,
  request: ModelRequest,
  attempt: ModelBill,
  complete: (request: ModelRequest) => Promise<Completed>,
): Promise<Completed> {
  const hooks = aroundHooks(context);
  if (hooks.length === 0 || deps === undefined) return complete(request);
  const signal = Context.current().cancellationSignal;
  const where = toTurnPlace(request, context);
  let last: Completed | undefined;
  /** An error that is not the hook's: lost infrastructure, a stop, a question that may be asked again. */
  let lost: unknown;
  const pass = (error: unknown): never => {
    lost = error;
    throw error;
  };
  const send = async (asked: ModelRequest): Promise<AssistantMessage> => {
    if (last?.reply) {
      attempt.waste(last.reply.usage, last.from);
      attempt.restart();
    }
    last = undefined;
    last = await complete({ ...asked, model: request.model, metadata: request.metadata }).catch(pass);
    return last.reply ?? pass(new NoReply(last.failure));
  };
  let shared = data;
  const keep = (more: JsonObject): void => {
    shared = { ...shared, ...more };
    share(more);
  };
  const through =
    ({ name: hook, params }: FrozenHook, next: typeof send): typeof send =>
    async (asked) => {
      const place = { ...where, hook, signal, data: shared };
      const call = toHookCall(deps, place, keep, (question) => ask(question).catch(pass));
      try {
        const given = await aroundOf(deps, hook)(asked, next, { ...call, params });
        return given === last?.reply ? given : toReply(deps.redactor, given, last?.reply ?? request);
      } catch (error) {
        throw error === lost || signal.aborted ? error : pass(hookFailed(hook, error));
      }
    };
  const chain = hooks.reduceRight<typeof send>((next, hook) => through(hook, next), send);
  try {
    const reply = await chain(request);
    if (signal.aborted) throw signal.reason;
    if (last?.reply === reply) return last;
    attempt.restart();
    attempt.onDelta({ type: 'text', text: textOf(reply) });
    return { reply, from: last?.from ?? { model: request.model } };
  } catch (error) {
    if (error instanceof NoReply && last) return last;
    // a reply that was not used was paid for
    if (last?.reply) attempt.waste(last.reply.usage, last.from);
    throw error;
  }
}

function toTurnPlace({ metadata: { sessionId, runId, turn } }: ModelRequest, context: FrozenContext) {
  const { top = sessionId, settings } = context;
  return { sessionId, top, runId, turn, offTheRecord: settings.offTheRecord };
}

function aroundOf({ hooks }: AroundDeps, name: string): AroundModelCall<unknown> {
  const { around } = hooks.get(name) ?? {};
  if (around) return around;
  throw new Error('this worker has it without aroundModelCall');
}

/** The words of a hook as a reply; the provider's counts are those of the reply before it. */
function toReply(
  redactor: Redactor,
  given: AssistantMessage | string,
  { model, usage = noUsage }: Pick<AssistantMessage, 'model'> & { usage?: AssistantMessage['usage'] },
): AssistantMessage {
  const said = typeof given === 'string' ? { content: [{ type: 'text', text: given }] } : given;
  const { content } = Object(cleanJson(said, redactor));
  const reply = { role: 'assistant', content, model, usage, stopReason: 'stop' };
  const parsed = messageSchema.safeParse(reply);
  if (parsed.success && parsed.data.role === 'assistant')
    return toolCallsOf(parsed.data).length > 0 ? { ...parsed.data, stopReason: 'tool_use' } : parsed.data;
  const why = parsed.error ? describeIssues(parsed.error, 'reply').join('; ') : '';
  throw new Error(`it answered neither a text nor a reply: ${why}`);
}

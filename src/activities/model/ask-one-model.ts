// Asks one model until it has said something whole: an empty reply is asked for again, a paused turn is sent back
// to be continued. What is a failure of the call is a value here; all retries are the caller's and Temporal's.
import { Context } from '@temporalio/activity';
import type { FrozenModel } from '../../core/model/frozen-context.ts';
import type { AssistantContent, AssistantMessage, Usage } from '../../core/model/messages.ts';
import { isFilled, toolCallsOf } from '../../core/model/messages.ts';
import type { ModelRequest } from '../../core/model/model-call.ts';
import type { ModelAttempt } from './model-attempt.ts';
import type { ClassifiedFailure } from './model-ledger.ts';
import { isOverflowReply } from './providers/overflow.ts';
import type { SendDeps } from './send-request.ts';
import { sendRequest, toModelFailure } from './send-request.ts';

export type Asked = { message: AssistantMessage } | { failure: ClassifiedFailure };

/** An empty reply is asked for again so many times (LOOP-15). */
const emptyRepeats = 2;
/** A paused turn is continued so many times in a row (LOOP-29). */
const pauseRepeats = 8;

/**
 * Throws only on a cancellation and for lost infrastructure. What is not in the message's own usage is booked in the
 * ledger: that of a paused turn is its last part's alone, because it tells how full the window is.
 */
export async function askOneModel(
  deps: SendDeps,
  request: ModelRequest,
  attempt: ModelAttempt,
  target: FrozenModel,
): Promise<Asked> {
  let paused: AssistantMessage | undefined;
  for (let empties = 0, pauses = 0; ;) {
    const { content = [] } = paused ?? {};
    const answer = await ask(deps, withPaused(request, paused), attempt, target, content);
    if ('failure' in answer) return answer;
    const message = continued(paused, answer.message);
    const overflows = isOverflowReply(answer.message, target.contextWindow ?? 0);
    if (!overflows && !isPause(message) && isFilled(message)) return { message };
    attempt.waste(answer.message.usage, target);
    if (overflows) return { failure: windowFull };
    if (isPause(message)) {
      pauses += 1;
      paused = message;
      if (pauses > pauseRepeats) return { failure: pausedTooOften };
    } else {
      empties += 1;
      if (empties > emptyRepeats) return { failure: stillEmpty };
      restart(attempt, content);
    }
  }
}

async function ask(
  deps: SendDeps,
  request: ModelRequest,
  attempt: ModelAttempt,
  target: FrozenModel,
  before: AssistantContent[],
): Promise<Asked> {
  try {
    const { onDelta, count } = attempt;
    const onUsage = (usage: Usage) => count(usage, target);
    const message = await sendRequest(deps, request, {
      onDelta,
      onUsage,
      restart() {
        // a reply that the provider withdrew was paid for too
        attempt.waste();
        restart(attempt, before);
      },
    });
    onUsage(message.usage);
    return { message };
  } catch (error) {
    if (Context.current().cancellationSignal.aborted) throw error;
    const failure = toModelFailure(deps, error);
    // lost infrastructure, such as an image's store: retried, but no failure of the model
    if (failure === undefined) throw error;
    attempt.waste('usage' in failure ? failure.usage : undefined, target);
    return { failure };
  }
}

/** What was shown of a turn before it paused is part of the reply that begins again. */
function restart(attempt: ModelAttempt, before: AssistantContent[]): void {
  attempt.restart();
  for (const part of before) {
    if (part.type !== 'tool_call' && part.text !== '') attempt.onDelta({ type: part.type, text: part.text });
  }
}

/** A paused turn goes back as it came, and the model goes on from there. */
function withPaused(request: ModelRequest, paused: AssistantMessage | undefined): ModelRequest {
  return paused === undefined ? request : { ...request, messages: [...request.messages, paused] };
}

function continued(paused: AssistantMessage | undefined, next: AssistantMessage): AssistantMessage {
  return paused === undefined ? next : { ...next, content: [...paused.content, ...next.content] };
}

/** Calls of ours are answered first; the pause ends with their results. */
function isPause(message: AssistantMessage): boolean {
  return message.stopDetail === 'pause_turn' && toolCallsOf(message).length === 0;
}

const windowFull: ClassifiedFailure = {
  type: 'Model.ContextOverflow',
  message:
    'The conversation fills the context window of the model: its reply was cut off, or not all was read.',
};

const stillEmpty: ClassifiedFailure = {
  type: 'Model.EmptyResponse',
  message: `The model gave an empty reply ${emptyRepeats + 1} times: no text and no tool call.`,
};

const pausedTooOften: ClassifiedFailure = {
  type: 'Model.PausedTooOften',
  message: `The model paused its turn more than ${pauseRepeats} times in a row without an answer.`,
};

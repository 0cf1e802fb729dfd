// Projections of the messages of a turn, by the user's own code, and the model request that comes of them.
import type { CallModelInput } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { Message } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import { turnRequest } from '@holdfast/vocabulary/model-requests';
import { aroundHooks } from './around-call.ts';
import { hookFailed } from './model-failure.ts';
import type { LoadedView } from '../context/transcript.ts';

export type Projections = {
  /** Changes the messages of one request, before anything else; the log keeps the originals. */
  transformContext?(messages: Message[]): Message[] | Promise<Message[]>;
  /** Projects messages to those that a model understands, after transformContext. Remaining custom messages are dropped. */
  convertToLlm?(messages: Message[]): Message[] | Promise<Message[]>;
};

export async function toModelRequest(
  input: CallModelInput,
  context: FrozenContext,
  view: LoadedView,
  attempt: number,
  { transformContext, convertToLlm }: Projections,
): Promise<ModelRequest> {
  const transformed = await project('transformContext', transformContext, [...view.head, ...view.messages]);
  const messages = await project('convertToLlm', convertToLlm, transformed);
  const request = turnRequest(context, { ...input, attempt }, { ...view, messages });
  if (isCut(input, transformContext ?? convertToLlm ?? aroundHooks(context)[0]))
    request.metadata.viewIsCut = true;
  return request;
}

/** A view of the first epoch shows the log from its beginning, unless a projection or a hook drops messages. */
function isCut({ view }: CallModelInput, projection: unknown): boolean {
  return view.epoch > 1 || view.fromSeq > 1 || projection !== undefined;
}

async function project(
  name: keyof Projections,
  hook: Projections[keyof Projections],
  messages: Message[],
): Promise<Message[]> {
  try {
    return hook === undefined ? messages : await hook(messages);
  } catch (error) {
    throw hookFailed(name, error);
  }
}

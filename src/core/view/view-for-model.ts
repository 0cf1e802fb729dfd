// Fits a repaired view to the model that will read it (MSG-08): thinking of another model, images for a
// text-only one. Pure; the log keeps the originals.
import { withoutSignature } from '../model/messages.ts';
import type {
  AssistantContent,
  AssistantMessage,
  ModelRef,
  ThinkingPart,
  UserContent,
} from '../model/messages.ts';
import type { ViewMessage } from './view-repair.ts';

export type TargetModel = { model: ModelRef; images: boolean };

export function viewForModel(view: readonly ViewMessage[], target: TargetModel): ViewMessage[] {
  return view.flatMap((message): ViewMessage[] => {
    if (message.role !== 'assistant') {
      return [target.images ? message : { ...message, content: message.content.map(imageToText) }];
    }
    if (isSameModel(message.model, target.model)) return [message];
    const content = message.content.flatMap(forAnotherModel);
    return content.length === 0 ? [] : [{ ...message, content } satisfies AssistantMessage];
  });
}

function isSameModel(left: ModelRef, right: ModelRef): boolean {
  return left.provider === right.provider && left.id === right.id;
}

/** Signatures are worthless to another model; so is a redacted block, which holds nothing else. */
function forAnotherModel(part: AssistantContent): AssistantContent[] {
  if (part.type !== 'thinking') return [withoutSignature(part)];
  return isReadable(part) ? [{ type: 'text', text: part.text }] : [];
}

function isReadable(part: ThinkingPart): boolean {
  return part.redacted !== true && part.text.trim() !== '';
}

function imageToText(part: UserContent): UserContent {
  if (part.type !== 'image') return part;
  return {
    type: 'text',
    text: `[image ${part.artifactId} (${part.mediaType}): this model cannot see images]`,
  };
}

// The view as one provider's request shows it: repaired, fitted to the model, ids in the provider's form.
import { withWireIds } from '../../../core/view/call-ids.ts';
import type { CallIdForm } from '../../../core/view/call-ids.ts';
import type { UserContent } from '../../../core/model/messages.ts';
import type { ModelRequest } from '../../../core/model/model-call.ts';
import { viewForModel } from '../../../core/view/view-for-model.ts';
import { repairView } from '../../../core/view/view-repair.ts';
import type { ViewMessage } from '../../../core/view/view-repair.ts';
import type { ModelCallOptions } from './model-provider.ts';

/** Repairing a repaired view changes nothing, so it is safe wherever the view comes from. */
export function outgoingView(request: ModelRequest, images: boolean, form: CallIdForm): ViewMessage[] {
  const view = viewForModel(repairView(request.messages), { model: request.model, images });
  // fitting may leave a message without content
  return withWireIds(repairView(view), form);
}

export function joinTexts(content: readonly UserContent[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** For wires without an error flag: "Error: " stands in front exactly once (TOOL-06). */
export function withErrorMark(text: string, isError: boolean): string {
  return isError && !text.startsWith('Error: ') ? `Error: ${text}` : text;
}

export type LoadImage = ModelCallOptions['loadImage'];

export async function toBase64(
  image: Extract<UserContent, { type: 'image' }>,
  loadImage: LoadImage,
): Promise<string> {
  return Buffer.from(await loadImage(image)).toString('base64');
}

// Names of tools as models give them: one with blanks is repaired, a misspelt one is told from a wish to change something.
// Pure.
import { nearestWord } from '@holdfast/base/nearest-word';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';

type Named = Pick<ToolSpec, 'name'>;

/** The reply with the names of its calls repaired: what follows a call, in the log too, goes by its name. */
export function withToolNames(reply: AssistantMessage, tools: readonly Named[]): AssistantMessage {
  return {
    ...reply,
    content: reply.content.map((part) =>
      part.type === 'tool_call' ? { ...part, name: repairedName(part.name, tools) } : part,
    ),
  };
}

/** Blanks around a name, and inside of it in place of a `_` or of nothing; a name that stays unknown stays as it is. */
function repairedName(name: string, tools: readonly Named[]): string {
  if (!/\s/.test(name) || tools.some((tool) => tool.name === name)) return name;
  const words = name.trim().split(/\s+/);
  const forms = [words.join(''), words.join('_'), words.join('-')];
  return forms.find((form) => tools.some((tool) => tool.name === form)) ?? name;
}

/** True for a tool that is not there, with nearly the name of one that reads. Verbs such as get and set begin otherwise. */
export function isMisspeltRead(name: string, tools: readonly Pick<ToolSpec, 'name' | 'effect'>[]): boolean {
  const meant = nearestWord(
    name,
    tools.map(({ name: known }) => known),
  );
  const isSameVerb = meant?.charAt(0).toLowerCase() === name.charAt(0).toLowerCase();
  return isSameVerb && tools.find((tool) => tool.name === meant)?.effect === 'read';
}

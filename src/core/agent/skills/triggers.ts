// Which skills a prompt loads by itself. Pure.
import type { FrozenSkill } from '../../model/frozen-context.ts';

/** Names of those of which a trigger occurs in the text, in any case. A skill whose text is in the prompt is left out. */
export function triggeredSkills(skills: readonly FrozenSkill[], text: string): string[] {
  const lowered = text.toLowerCase();
  return skills
    .filter(({ description, inPrompt }) => description !== undefined && !inPrompt)
    .filter(({ triggers = [] }) => triggers.some((trigger) => lowered.includes(trigger.toLowerCase())))
    .map(({ name }) => name);
}

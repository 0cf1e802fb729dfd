// Finds the skills that a prompt loads by their triggers. Pure.
import type { FrozenSkill } from '../../model/frozen-context.ts';

/** Names of the skills with a trigger in the text, in any case. A skill whose text is in the prompt is left out. */
export function triggeredSkills(skills: readonly FrozenSkill[], text: string): string[] {
  const lowered = text.toLowerCase();
  return skills
    .filter(({ description, inPrompt }) => description !== undefined && !inPrompt)
    .filter(({ triggers = [] }) => triggers.some((trigger) => lowered.includes(trigger.toLowerCase())))
    .map(({ name }) => name);
}

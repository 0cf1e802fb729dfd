// The skills of a run in its system prompt: a line for each, and the bodies of those without a description or loaded by
// earlier runs. Runs in Node.
import type { PromptParts } from '../../core/agent/prompt/prompt-parts.ts';
import type { FrozenSkill } from '../../core/model/frozen-context.ts';
import type { ReadSkillText } from './skill-text.ts';

export type PromptSkills = Pick<PromptParts, 'skills' | 'inlineSkills' | 'loadedSkills'>;

export async function promptSkills(
  skills: readonly FrozenSkill[],
  textOf: ReadSkillText,
): Promise<PromptSkills> {
  const bodiesOf = async (some: readonly FrozenSkill[]) => {
    const texts = await Promise.all(some.map(textOf));
    return some.flatMap(({ name }, index) => {
      const body = texts[index];
      return body === undefined ? [] : [{ name, body }];
    });
  };
  return {
    skills: skills.flatMap(({ name, description }) =>
      description === undefined ? [] : [{ name, description }],
    ),
    inlineSkills: await bodiesOf(skills.filter(({ description }) => description === undefined)),
    loadedSkills: await bodiesOf(skills.filter(({ inPrompt }) => inPrompt)),
  };
}

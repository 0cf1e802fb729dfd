// Skills in words for the model: as the result of load_skill, and before the words of a prompt. Pure.
import type { ReadSkillsResult, SkillText } from '../../model/activity-contracts.ts';
import type { FrozenSkill } from '../../model/frozen-context.ts';

/** Of the result of a load: the texts in the order asked, then what could not be given. */
export function loadedText({ read, unread }: ReadSkillsResult, unknown: string): string {
  const notes = [...unread.map(({ name, reason }) => `Skill ${name} ${reason}.`), unknown].filter(Boolean);
  return [...read.map(({ name, text }) => `# Skill ${name}\n\n${text}`), notes.join(' ')]
    .filter(Boolean)
    .join('\n\n');
}

/** Empty where every name is known. */
export function unknownText(names: readonly string[], skills: readonly FrozenSkill[]): string {
  if (names.length === 0) return '';
  const known = skills.map(({ name }) => name).join(', ');
  return `There is no skill ${names.map((name) => JSON.stringify(name)).join(', ')}. Skills: ${known}.`;
}

/** The part of a run's first message that its triggers have loaded (SKILL-06). */
export function prefaceText(read: readonly SkillText[]): string {
  return ['## Loaded Skills', ...read.map(({ name, text }) => `### ${name}\n\n${text}`)].join('\n\n');
}

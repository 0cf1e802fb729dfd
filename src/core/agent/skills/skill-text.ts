// Skills in words for the model: as the result of load_skill, and in the preface of a prompt. Pure.
import type { ReadSkillsResult, SkillText } from '../../model/activity-contracts.ts';
import type { FrozenSkill } from '../../model/frozen-context.ts';

/** The result of a load: the texts in the requested order, then the names that could not be loaded. */
export function loadedText({ read, unread }: ReadSkillsResult, unknown: string): string {
  const notes = [...unread.map(({ name, reason }) => `Skill ${name} ${reason}.`), unknown].filter(Boolean);
  return [...read.map(({ name, text }) => `# Skill ${name}\n\n${text}`), notes.join(' ')]
    .filter(Boolean)
    .join('\n\n');
}

/** Empty if every name is known. */
export function unknownText(names: readonly string[], skills: readonly FrozenSkill[]): string {
  if (names.length === 0) return '';
  const known = skills.map(({ name }) => name).join(', ');
  return `There is no skill ${names.map((name) => JSON.stringify(name)).join(', ')}. Skills: ${known}.`;
}

/** The preface part with the skills that triggers loaded for the run (SKILL-06). */
export function prefaceText(read: readonly SkillText[]): string {
  return ['## Loaded Skills', ...read.map(({ name, text }) => `### ${name}\n\n${text}`)].join('\n\n');
}

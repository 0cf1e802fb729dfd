// Skills in words for the model: as the result of load_skill, and in the preface of a prompt. Pure.
import type { ReadSkillsResult, SkillText } from '@holdfast/vocabulary/activity-contracts';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { FrozenSkill } from '@holdfast/vocabulary/frozen-context';
import { type LogRecord, textOf } from '@holdfast/vocabulary/messages';

/** The result of a load: the texts in the requested order, then the names that could not be loaded. */
export function loadedText({ read, unread }: ReadSkillsResult, more: string): string {
  const notes = [...unread.map(({ name, reason }) => `Skill ${name} ${reason}.`), more].filter(Boolean);
  return [...read.map(({ name, text }) => `# Skill ${name}\n\n${text}`), notes.join(' ')]
    .filter(Boolean)
    .join('\n\n');
}

/** Short, because the state has one for each skill in the view. */
export function skillMark({ sha256 }: Pick<FrozenSkill, 'sha256'>): string {
  return sha256.slice(0, 16);
}

/** The model has its text: in this epoch of the view, or in the prompt. */
export function isSkillThere({ view, context }: Pick<AgentState, 'view' | 'context'>, name: string): boolean {
  const skill = context?.skills?.find((each) => each.name === name);
  if (!skill) return false;
  return skill.inPrompt === true || (view.skills?.includes(skillMark(skill)) ?? false);
}

/** Empty if every name is known. */
export function unknownText(names: readonly string[], skills: readonly FrozenSkill[]): string {
  if (names.length === 0) return '';
  const known = skills.map(({ name }) => name).join(', ');
  return `There is no skill ${names.map((name) => JSON.stringify(name)).join(', ')}. Skills: ${known}.`;
}

/** Empty if there is none. */
export function thereText(names: readonly string[]): string {
  return names.length === 0 ? '' : `Loaded before, and still above: ${names.join(', ')}.`;
}

/** The preface part with the skills that triggers loaded for the run (SKILL-06). */
export function prefaceText(read: readonly SkillText[]): string {
  return ['## Loaded Skills', ...read.map(({ name, text }) => `### ${name}\n\n${text}`)].join('\n\n');
}

/** True for a record that gives the text of the skill: a result, or a prompt with its preface. */
export function givesSkill(record: LogRecord, name: string): boolean {
  const before = record.role === 'user' ? record.preface?.map(({ text }) => text) : undefined;
  const texts = before ?? (record.role === 'tool_result' ? [textOf(record)] : []);
  return texts.some((text) => text.includes(`# Skill ${name}\n\n`) || text.includes(`### ${name}\n\n`));
}

// Builds the system prompt from its parts: static parts first, for a provider's cache; lists sorted by name; no date
// and no counter. Equal parts give equal bytes on every worker. Pure.
import { oneLine } from '@holdfast/base/one-line';
import { byName } from '@holdfast/base/by-name';
import { isSameAgent } from '../delegation/registry.ts';
import type { NamedText, PromptLayout, PromptParts } from './prompt-parts.ts';
import {
  agentsHint,
  behaviouralRules,
  completionProtocol,
  fileFrames,
  notesProtocol,
  offTheRecordNotice,
  userFileRule,
  sensitiveDataRules,
  skillsHint,
} from './rules.ts';
import { memoryBlock, neutraliseClosing } from './untrusted.ts';

/** A part of the system prompt with the blank lines before it; all texts joined are the prompt. */
export type PromptSection = { id: SectionId; text: string };

/** The text of each section without its tag or heading; '' if the section is empty. */
const contents = {
  identity: ({ agent, files }) =>
    paragraphs(
      [`Name: ${agent.name}`, agent.description ? `Description: ${agent.description}` : ''],
      headed('Your Identity', fileFrames.identity, files.identity),
    ),
  soul: ({ files }) => headed('Core Guardrails', fileFrames.soul, files.soul),
  completion_protocol: ({ depth }) => (depth > 0 ? completionProtocol : ''),
  notes_protocol: ({ tools }) =>
    tools.includes('list_notes') ? notesProtocol(tools.includes('write_note')) : '',
  instructions: ({ instructions }) => instructions,
  behavioral_constraints: ({ disableBehavioralHints, tools }) => {
    if (disableBehavioralHints) return '';
    const writesFiles = ['write', 'edit', 'note_user'].some((tool) => tools.includes(tool));
    return writesFiles ? `${behaviouralRules}\n${userFileRule}` : behaviouralRules;
  },
  sensitive_data: () => sensitiveDataRules,
  project_context: ({ projectContext }) => framed(fileFrames.project, projectContext),
  user: ({ files }) => headed('User Profile', fileFrames.user, files.user),
  memory: ({ memory = [] }) => headed('Your Memory', '', memoryBlock(memory)),
  skills: ({ inlineSkills }) => bodies(inlineSkills),
  available_skills: ({ skills }, layout) =>
    framed(
      skillsHint,
      skills
        .toSorted(byName)
        .map(layout === 'xml' ? entry : boldEntry)
        .join('\n'),
    ),
  mode_notice: ({ offTheRecord, tools }) => (offTheRecord ? offTheRecordNotice(tools.toSorted()) : ''),
  available_agents: ({ agents, agent }) =>
    framed(
      agentsHint,
      agents
        .filter((other) => !isSameAgent(other.name, agent.name))
        .toSorted(byName)
        .map(entry)
        .join('\n'),
    ),
  loaded_skills: ({ loadedSkills }) => bodies(loadedSkills),
  plan: ({ plan = '' }) => plan,
} satisfies Record<string, (parts: PromptParts, layout: PromptLayout) => string>;

export type SectionId = keyof typeof contents;

type SectionFrame = { id: SectionId; tag?: string; heading?: string; rule?: true };

/** In the order of the prompt. `rule`: a separator line before the section. */
const layouts: Record<PromptLayout, readonly SectionFrame[]> = {
  xml: [
    { id: 'identity', tag: 'identity' },
    { id: 'soul' },
    { id: 'completion_protocol', tag: 'completion_protocol' },
    { id: 'notes_protocol', tag: 'notes_protocol' },
    { id: 'instructions', tag: 'instructions' },
    { id: 'behavioral_constraints', tag: 'behavioral_constraints' },
    { id: 'sensitive_data', tag: 'sensitive_data' },
    { id: 'project_context', tag: 'project_context' },
    { id: 'user' },
    { id: 'memory' },
    { id: 'skills', tag: 'skills' },
    { id: 'available_skills', tag: 'available_skills' },
    { id: 'mode_notice', tag: 'mode_notice' },
    { id: 'available_agents', tag: 'available_agents' },
    // grows from run to run, so it comes after everything constant
    { id: 'loaded_skills', tag: 'loaded_skills' },
    // changes from turn to turn
    { id: 'plan', tag: 'plan' },
  ],
  workspace: [
    { id: 'identity' },
    { id: 'soul' },
    { id: 'user' },
    { id: 'project_context', heading: 'Project Context' },
    { id: 'memory' },
    { id: 'completion_protocol', heading: 'Completion Protocol' },
    { id: 'notes_protocol', heading: 'Notes Protocol' },
    { id: 'instructions', heading: 'Instructions' },
    { id: 'behavioral_constraints', heading: 'Behavioral Rules' },
    { id: 'mode_notice', heading: 'Off The Record' },
    { id: 'sensitive_data', heading: 'Sensitive Data' },
    { id: 'available_agents', heading: 'Available Agents' },
    { id: 'available_skills', heading: 'Custom Skills', rule: true },
    { id: 'skills', heading: 'Skills', rule: true },
    { id: 'loaded_skills', heading: 'Loaded Skills', rule: true },
    { id: 'plan', heading: 'Your Plan', rule: true },
  ],
};

export function assemblePrompt(parts: PromptParts): string {
  return promptText(promptSections(parts));
}

export function promptText(sections: readonly PromptSection[]): string {
  return sections.map(({ text }) => text).join('');
}

/** A prompt as sent: its text, and the lengths of its sections in order. */
export type FrozenPrompt = { text: string; sections: { id: string; length: number }[] };

export function freezePrompt(sections: readonly PromptSection[]): FrozenPrompt {
  return {
    text: promptText(sections),
    sections: sections.map(({ id, text }) => ({ id, length: text.length })),
  };
}

/** The sections that depend on the tools, which may change during a run. */
const ofTools: readonly SectionId[] = ['notes_protocol', 'mode_notice'];

/** The prompt that a run began with, changed only in the sections that depend on its tools (PROMPT-02). */
export function keepPrompt(begun: FrozenPrompt, parts: PromptParts): FrozenPrompt {
  const fresh = new Map(promptSections(parts).map(({ id, text }) => [id, text]));
  const kept = new Map<string, string>();
  let from = 0;
  for (const { id, length } of begun.sections) {
    kept.set(id, begun.text.slice(from, from + length));
    from += length;
  }
  const sections = layouts[parts.layout].flatMap(({ id }) => {
    const text = ofTools.includes(id) ? fresh.get(id) : kept.get(id);
    return text === undefined ? [] : [{ id, text }];
  });
  return freezePrompt(sections);
}

/** The sections that are not empty, in the order of the layout. */
export function promptSections(parts: PromptParts): PromptSection[] {
  return layouts[parts.layout].flatMap((place) => {
    const content = contents[place.id](parts, parts.layout).trim();
    return content === '' ? [] : [{ id: place.id, text: `${gapBefore(place)}${dress(content, place)}` }];
  });
}

/** The identity is always there, and first. */
function gapBefore({ id, rule }: SectionFrame): string {
  if (id === 'identity') return '';
  return rule ? '\n\n---\n\n' : '\n\n';
}

function dress(content: string, { tag, heading }: SectionFrame): string {
  if (tag !== undefined)
    return `<${tag}>\n${isOwnText(tag) ? content : neutraliseClosing(content, tag)}\n</${tag}>`;
  return heading === undefined ? content : `# ${heading}\n\n${content}`;
}

/** True for text by the operators, which enters unchanged. */
function isOwnText(tag: string): boolean {
  return tag === 'identity' || tag === 'instructions';
}

function headed(heading: string, frame: string, text = ''): string {
  return text.trim() === '' ? '' : paragraphs([`# ${heading}`], frame, text.trim());
}

function framed(frame: string, text = ''): string {
  return text.trim() === '' ? '' : paragraphs(frame, text.trim());
}

function bodies(skills: PromptParts['inlineSkills']): string {
  return skills
    .toSorted(byName)
    .map(({ name, body }) => `## ${name}\n\n${body.trim()}`)
    .join('\n\n');
}

function paragraphs(...parts: (string | string[])[]): string {
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : part.filter((line) => line !== '').join('\n'),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

function entry({ name, description }: NamedText): string {
  return description ? `- ${name}: ${oneLine(description)}` : `- ${name}`;
}

function boldEntry({ name, description = '' }: NamedText): string {
  return `- **${name}**: ${oneLine(description)}`;
}

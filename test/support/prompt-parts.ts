// The parts of a prompt of which a test names only those that it is about.
import { assemblePrompt } from '../../src/core/agent/prompt/assemble-prompt.ts';
import type { PromptParts } from '../../src/core/agent/prompt/prompt-parts.ts';

export function promptParts(parts: Partial<PromptParts> = {}): PromptParts {
  // oxfmt-ignore
  return {
    layout: 'xml', agent: { name: 'tester' }, files: {}, instructions: 'Look into it.',
    skills: [], inlineSkills: [], loadedSkills: [], agents: [], depth: 0, tools: [],
    offTheRecord: false, disableBehavioralHints: false,
    ...parts,
  };
}

/** With something in every section. */
export const fullParts: PromptParts = promptParts({
  agent: { name: 'tester', description: 'Tests prompts.' },
  files: { identity: 'I am calm.', soul: 'Delete nothing.', user: 'Likes short answers.' },
  projectContext: 'The shop runs on three hosts.',
  skills: [
    { name: 'zfs', description: 'Pools and\nsnapshots.' },
    { name: 'dns', description: 'Names.' },
  ],
  inlineSkills: [{ name: 'house-style', body: 'Write plainly.' }],
  loadedSkills: [{ name: 'dns', body: 'Ask two servers.' }],
  memory: ['The pool was too small in May.'],
  agents: [
    { name: 'Tester', description: 'Itself.' },
    { name: 'scout', description: 'Looks.' },
    { name: 'critic' },
  ],
  depth: 1,
  tools: ['read', 'list_notes', 'grep'],
  offTheRecord: true,
});

/** What the agent `tester` of the session worker gets. */
export const testerPrompt = assemblePrompt(promptParts({ instructions: 'You are a test.' }));

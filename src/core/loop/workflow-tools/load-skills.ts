// load_skill and load_skills: return the texts of skills of the run. The workflow asks a worker, which has the texts.
import { storedIdOf } from '@holdfast/vocabulary/agent-state';
import { isSkillThere, loadedText, thereText, unknownText } from '../../agent/skills/skill-text.ts';
import { type Json, isRecord } from '@holdfast/base/json';
import { failWith } from '@holdfast/vocabulary/tool-spec';
import { abortedText } from '../../state/own-answers.ts';
import type { WorkflowTool, WorkflowToolContext, WorkflowToolOutcome } from '../effects.ts';

export const loadSkill: WorkflowTool = {
  name: 'load_skill',
  run: (args, context) => load(isRecord(args) ? [args.name] : [], context),
};

export const loadSkills: WorkflowTool = {
  name: 'load_skills',
  run: (args, context) => load(isRecord(args) && Array.isArray(args.skills) ? args.skills : [], context),
};

async function load(
  wanted: readonly (Json | undefined)[],
  { session, effects }: WorkflowToolContext,
): Promise<WorkflowToolOutcome> {
  const asked = [...new Set(wanted.filter((name) => typeof name === 'string'))];
  if (asked.length === 0) return failWith('Nothing was loaded: expected the name of a skill.');
  const { state } = session;
  const { skills = [], digest: contextDigest = '' } = state.context ?? {};
  const isKnown = (name: string): boolean => skills.some((skill) => skill.name === name);
  const there = asked.filter((name) => isSkillThere(state, name));
  const names = asked.filter((name) => isKnown(name) && !there.includes(name));
  const unknown = unknownText(
    asked.filter((name) => !isKnown(name)),
    skills,
  );
  const notes = [thereText(there), unknown].filter(Boolean).join(' ');
  if (names.length === 0) return { text: notes, isError: there.length === 0 };
  const outcome = await effects.call('readSkills', { sessionId: storedIdOf(state), contextDigest, names });
  if (outcome.type === 'stopped') return failWith(abortedText('read'));
  if (outcome.type === 'failed') return failWith(`The skills could not be read: ${outcome.failure.message}`);
  const text = loadedText(outcome.value, notes);
  if (outcome.value.read.length === 0) return failWith(text);
  session.record({ type: 'skills_loaded', names: outcome.value.read.map(({ name }) => name) });
  return { text };
}

// Gives a run texts of its worker's memory, redacted: files may hold secrets that people should not have written there.
// Runs in Node.
import type { AgentSettings } from '@holdfast/vocabulary/agent-spec';
import type { ContextWarning } from '@holdfast/vocabulary/frozen-context';
import { memoryBlock } from '../../core/agent/prompt/untrusted.ts';
import { messageOf } from '@holdfast/base/message-of';
import type { OwnWorkflow } from '../base/own-workflow.ts';
import type { Redactor } from '@holdfast/redaction/redaction';
import type { Memory } from './memory.ts';
import { shownChunks } from './shown-memory.ts';

type Settings = Pick<AgentSettings, 'memory'>;

export type Recall = (text: string, settings: Settings) => Promise<string[]>;

export function createRecall(memory: Memory, redactor: Pick<Redactor, 'text'>): Recall {
  return async (text, { memory: { topK, ranking } }) => {
    const found = await memory.recall(text, topK, ranking);
    return shownChunks(found).map(redactor.text);
  };
}

const known = { memory: { topK: 10, ranking: 'keyword', placement: 'user' } } as const;

/** For an extraction, which must not repeat them. Notes that cannot be read cost no more than repeats. */
export function createKnownNotes(recall: Recall) {
  return async (stretch: string) => memoryBlock(await recall(stretch, known).catch(() => []));
}

/** For the frozen prompt, if the run has memory.placement `system`. A failure is a warning of the run. */
export async function recallForPrompt(
  recall: Recall | undefined,
  settings: Settings,
  workflow: () => OwnWorkflow,
): Promise<{ notes?: string[]; warnings: ContextWarning[] }> {
  const isWanted = settings.memory.placement === 'system' && settings.memory.topK > 0;
  if (!recall || !isWanted) return { warnings: [] };
  try {
    return { notes: await recall(await taskOf(workflow()), settings), warnings: [] };
  } catch (error) {
    return { warnings: [{ code: 'Memory.NotSearched', message: messageOf(error) }] };
  }
}

/** The text of the run's prompt, which only the workflow has; the activity's input does not. */
async function taskOf(workflow: OwnWorkflow): Promise<string> {
  const beyond = Number.MAX_SAFE_INTEGER;
  const { epoch } = await workflow.getMessages(beyond);
  const { notes } = await workflow.getView(epoch, beyond);
  return notes?.task ?? '';
}

// What a run gets of its worker's memory, as texts that a model may read: chunks of files may hold what people should not
// have written there. Runs in Node.
import type { AgentSettings } from '../../core/model/agent-spec.ts';
import type { ContextWarning } from '../../core/model/frozen-context.ts';
import { messageOf } from '../../core/base/message-of.ts';
import type { OwnWorkflow } from '../context/own-workflow.ts';
import type { Redactor } from '../redaction/redaction.ts';
import type { Memory } from './memory.ts';
import { shownChunk } from './shown-memory.ts';

type Settings = Pick<AgentSettings, 'memoryTopK' | 'memoryRanking' | 'memoryPlacement'>;

export type Recall = (text: string, settings: Settings) => Promise<string[]>;

export function createRecall(memory: Memory, redactor: Pick<Redactor, 'text'>): Recall {
  return async (text, { memoryTopK, memoryRanking }) => {
    const found = await memory.recall(text, memoryTopK, memoryRanking);
    return found.map((chunk) => redactor.text(shownChunk(chunk)));
  };
}

/** For the frozen prompt of a run that wants it there (memoryPlacement `system`). A failure is a warning of the run. */
export async function recallForPrompt(
  recall: Recall | undefined,
  settings: Settings,
  workflow: () => OwnWorkflow,
): Promise<{ notes?: string[]; warnings: ContextWarning[] }> {
  const isWanted = settings.memoryPlacement === 'system' && settings.memoryTopK > 0;
  if (!recall || !isWanted) return { warnings: [] };
  try {
    return { notes: await recall(await taskOf(workflow()), settings), warnings: [] };
  } catch (error) {
    return { warnings: [{ code: 'Memory.NotSearched', message: messageOf(error) }] };
  }
}

/** The words that the run was asked. They are in the workflow alone: the input of the activity has none. */
async function taskOf(workflow: OwnWorkflow): Promise<string> {
  const beyond = Number.MAX_SAFE_INTEGER;
  const { epoch } = await workflow.getMessages(beyond);
  const { notes } = await workflow.getView(epoch, beyond);
  return notes?.task ?? '';
}

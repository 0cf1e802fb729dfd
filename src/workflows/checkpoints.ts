// Checkpoints of a running session: what the queries serve, when one is saved, and how a session begins from one.
// Runs in the workflow; documents never pass through history but as the state that a session begins with.
import { ActivityFailure, ApplicationFailure, scheduleActivity } from '@temporalio/workflow';
import type {
  LoadCheckpointInput,
  LoadedCheckpoint,
  SaveCheckpointInput,
  SavedCheckpoint,
} from '../core/model/activity-contracts.ts';
import { pageOfCheckpoint, agentInput, checkpointOf } from '../core/checkpoint/checkpoint.ts';
import type { CheckpointPage } from '../core/checkpoint/checkpoint.ts';
import type { Checkpoint } from '../core/model/session-input.ts';
import { continuationOf } from '../core/state/continuation.ts';
import type { PromptMessage } from '../core/model/messages.ts';
import { loadCheckpointOptions, saveCheckpointOptions } from './activity-options.ts';
import type { Session } from './session.ts';

export function currentCheckpoint(session: Session): Checkpoint {
  const { taskId, input, approvals } = session;
  const awaiting = approvals.pending.map(({ id }) => id);
  return checkpointOf(session.state, { taskId, input, now: Date.now(), awaiting });
}

export function checkpointPage(session: Session, offset: number): CheckpointPage {
  const checkpoint = currentCheckpoint(session);
  const revision = `${checkpoint.created_at}/${session.store.events.lastSeq}`;
  return pageOfCheckpoint(checkpoint, revision, offset);
}

/** Saves on the way (checkpointEvery). Best effort; calls that end together share one. */
export class CheckpointSaver {
  readonly #session: Session;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Resolves when the state as it is now has been saved, or could not be. */
  save(): Promise<void> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      this.#last = this.#save();
      return this.#last;
    });
    return this.#next;
  }

  async #save(): Promise<void> {
    const { id: sessionId, store } = this.#session;
    const input: SaveCheckpointInput = { sessionId };
    try {
      const saved = await scheduleActivity<SavedCheckpoint>('saveCheckpoint', [input], saveCheckpointOptions);
      store.announce({ type: 'checkpoint_saved', artifactId: saved.artifactId });
    } catch (error) {
      store.announce({ type: 'warning', code: 'Checkpoint.NotSaved', message: causeOf(error).message });
    }
  }
}

/** False where nothing is stored for the task: the session begins afresh. Throws where it must not begin at all. */
export async function beginFromCheckpoint(session: Session, prompts: PromptMessage[]): Promise<boolean> {
  const { input, store, inbox } = session;
  const { checkpoint, carried } = input;
  if (checkpoint === undefined || carried !== undefined) return false;
  // with what is saved for a task the prompt is the task's own: it is in the log already
  const onTop = checkpoint === 'saved' ? [] : prompts;
  const loaded = await load({
    ...{ sessionId: session.id, taskId: session.taskId, checkpoint, input: agentInput(input) },
    ...{ hasPrompt: onTop.length > 0, keepAlive: input.keepAlive === true },
    resumeFailed: input.resumeFailed === true,
  });
  if (!loaded.state) return false;
  session.input = { ...input, ...loaded.input };
  store.record({ type: 'imported', state: loaded.state });
  for (const message of loaded.warnings ?? [])
    store.announce({ type: 'warning', code: 'Checkpoint.Incomplete', message });
  if (onTop.length > 0) takeOnTop(session, onTop);
  else if (loaded.continues) {
    const from = continuationOf(session.state, { steering: 0, followUp: 0 });
    if (from) inbox.putContinue(from, `run-${session.state.runs + 1}`);
  }
  return true;
}

/** A run that goes on takes it as a follow-up that was waiting; else it starts one. */
function takeOnTop({ state, store, inbox }: Session, messages: PromptMessage[]): void {
  if (state.run) store.record({ type: 'messages_drained', queue: 'followUp', messages });
  else inbox.putPrompt(messages);
}

async function load(input: LoadCheckpointInput): Promise<LoadedCheckpoint> {
  try {
    return await scheduleActivity<LoadedCheckpoint>('loadCheckpoint', [input], loadCheckpointOptions);
  } catch (error) {
    const cause = causeOf(error);
    const type = cause instanceof ApplicationFailure && cause.type ? cause.type : 'Checkpoint.NotLoaded';
    throw ApplicationFailure.create({ type, message: cause.message, nonRetryable: true });
  }
}

function causeOf(error: unknown): Error {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof Error ? cause : new Error(String(cause));
}

// Input and result of a test of a user's agent. Types and texts.
import type { HoldfastConfig } from '../config/define-config.ts';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import type { StepInput } from './scripted-model.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';

export type AgentTest = {
  /** In the form of `defineConfig`, or the path of its file. Default: no tools beyond those without a permission. */
  config?: HoldfastConfig | string;
  /** Plays every model that the agent names: no key is read, and no network is used. */
  script: ModelScript | StepInput[];
  /** Start input beside the prompt: the agent's name, limits, labels. */
  input?: Omit<SessionInput, 'prompt' | 'keepAlive'>;
  prompt: NonNullable<SessionInput['prompt']>;
  /** Answers questions of ask_human. Absent: a question fails the test. */
  answer?: (question: PendingQuestion) => string | Promise<string>;
  /** Answers calls that ask for approval. Absent: such a call fails the test. */
  approve?: (call: PendingApproval) => boolean | Promise<boolean>;
  /**
   * `host:port` of a Temporal server: the run is a workflow there, with a worker of its own. Default: it runs in this
   * process, without a server, and is gone with it.
   */
  server?: string;
  /** Limit for the run. Default 60 s. */
  timeoutMs?: number;
  /** File for the worker's log. Default: none. */
  logFile?: string;
};

export type TestedRun = {
  sessionId: string;
  result: SessionResult;
  /** The whole log of the session. */
  messages: LogRecord[];
  /** Requests to the model, in order. */
  requests: ModelRequest[];
  /** The run's report as Markdown, if there is one. */
  report?: string;
};

export function describeUndecided({ id, tool }: PendingApproval): string {
  return `The call ${id} of ${tool} asks for approval, and the test has no answer. Give it "approve".`;
}

export function describeUnanswered({ id, question }: PendingQuestion): string {
  return `The call ${id} asks "${question}", and the test has no answer. Give it "answer".`;
}

// What a hook is: a named function that the loop calls at fixed points of a run, with plain data in and plain data
// out. Pure ones run in the workflow, from a table; those of a user run in activities. Types only.
import type {
  Usage,
  AssistantMessage,
  Message,
  ToolCallPart,
  ToolResultMessage,
  UserContent,
} from './messages.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ThinkingLevel } from './model-call.ts';
import type { Failure } from '../base/failures.ts';
import type { MessageRange, RunCause, RunStatus } from './run-result.ts';
import type { ToolDefinition } from './tool-spec.ts';

/** As an agent or a start names it. */
export type HookRef = {
  /** Name of a built-in hook, or of one of the configuration. */
  name: string;
  /** Whatever the hook takes. */
  params?: JsonObject;
};

/** The lists of an agent spec that name hooks. */
export type HookLists = { hooks?: HookRef[]; turnHooks?: HookRef[]; middleware?: HookRef[] };

/** A hook as a run is frozen to it. */
export type FrozenHook = {
  name: string;
  params: JsonObject;
  points: HookPoint[];
  runsIn: 'workflow' | 'activity';
};

/** A hook of the run with what its state is kept under: its name, or that and a number where an earlier one has it. */
export type ListedHook = FrozenHook & { key: string };

/** What the model works with at that moment; `messages` are those of the view that the caller holds. */
export type HookContext = { systemPrompt: string; tools: ToolDefinition[]; messages: Message[] };

export type BeforeToolCall = {
  assistantMessage: AssistantMessage;
  toolCall: ToolCallPart;
  /** Validated. */
  args: Json;
  context: HookContext;
};
export type AfterToolCall = BeforeToolCall & { result: ToolResultMessage; isError: boolean };

export type TurnHookInput = {
  phase: 'before_complete' | 'after_complete';
  /** 0 is the first turn of the run. */
  iteration: number;
  context: HookContext;
  /** Of the run so far, all purposes. */
  usage: Usage;
  agentName: string;
};

export type TurnEnd = {
  message: AssistantMessage;
  toolResults: ToolResultMessage[];
  context: HookContext;
  /** What the run appended so far, as in its result. */
  newMessages: MessageRange;
};

export type RunStart = { task: string; startedAt: number };
export type RunEnding = {
  status: RunStatus;
  cause?: RunCause;
  answer: string;
  error?: Failure;
  startedAt: number;
  /** Workflow time in ms. */
  now: number;
  newMessages: MessageRange;
};

/** What each point gives. */
export type HookInputs = {
  beforeToolCall: BeforeToolCall;
  afterToolCall: AfterToolCall;
  beforeComplete: TurnHookInput;
  afterComplete: TurnHookInput;
  afterResponse: TurnHookInput;
  prepareNextTurn: TurnEnd;
  shouldStopAfterTurn: TurnEnd;
  runStart: RunStart;
  runEnd: RunEnding;
};
export type HookPoint = keyof HookInputs;

/** A message that the agent says to its model, as a user message. */
export type InjectedMessage = { inject?: string };

/** What each point may answer; nothing at all changes nothing. */
export type HookOutputs = {
  /** Blocked: not executed; the reason is the result's text. */
  beforeToolCall: { block?: boolean; reason?: string; terminate?: boolean };
  /** Absent and null keep what is there; content is replaced whole. */
  afterToolCall: {
    content?: string | UserContent[] | null;
    details?: Json;
    isError?: boolean | null;
    terminate?: boolean | null;
  };
  beforeComplete: InjectedMessage;
  afterComplete: InjectedMessage;
  afterResponse: InjectedMessage;
  /** For the rest of the run; absent and null keep what is there. */
  prepareNextTurn: {
    context?: {
      systemPrompt?: string | null;
      messages?: Message[] | null;
      /** Names of registered tools. */
      tools?: string[] | null;
    } | null;
    /** `<provider>:<model id>` */
    model?: string | null;
    thinkingLevel?: ThinkingLevel | null;
  };
  shouldStopAfterTurn: { stop?: boolean };
  runStart: Record<string, never>;
  /** Fails a completed run with this text (cause guardrail). */
  runEnd: { fail?: string };
};

/** Beside its input: its params, its own state of this run, and the log of the workflow. */
export type PureHookHost = {
  params: JsonObject;
  /** Undefined at the start of a run. */
  state: Json | undefined;
  setState(state: Json): void;
  /** Written once, not again at a replay. */
  log(message: string, attributes: JsonObject): void;
};

type PureHookFunction<Point extends HookPoint> = (
  input: HookInputs[Point],
  host: PureHookHost,
) => HookOutputs[Point] | undefined;

/** What a hook does, by point. */
export type PureHookFunctions = { [Point in HookPoint]?: PureHookFunction<Point> };

/** A hook that runs in the workflow: deterministic, no I/O. A throw is its failure. */
export type PureHook = PureHookFunctions & {
  /** What is wrong with its params; undefined when nothing is. */
  problem(params: JsonObject): string | undefined;
};

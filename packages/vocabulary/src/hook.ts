// A hook: a named function that the loop calls at fixed points of a run, with plain data in and out. Pure ones run in
// the workflow, from a table; those of a user run in activities. Types only.
import type {
  Usage,
  AssistantMessage,
  Message,
  ToolCallPart,
  ToolResultMessage,
  UserContent,
} from './messages.ts';
import type { Json, JsonObject } from '@holdfast/base/json';
import type { ThinkingLevel } from './model-call.ts';
import type { Failure } from '@holdfast/base/failures';
import type { MessageRange, RunCause, RunStatus } from './run-result.ts';
import type { ToolDefinition } from './tool-spec.ts';

/** A hook in an agent spec or a start input. */
export type HookRef = {
  /** Name of a built-in hook, or of one in the configuration. */
  name: string;
  /** Parameters of the hook. */
  params?: JsonObject;
};

/** A hook as frozen in a run. */
export type FrozenHook = {
  name: string;
  params: JsonObject;
  points: (HookPoint | WorkerPoint)[];
  runsIn: 'workflow' | 'activity';
};

/** A hook of the run with the key of its state: its name, plus a number if an earlier hook has the same name. */
export type ListedHook = FrozenHook & { key: string };

/** The model's current prompt, tools and messages; `messages` are those of the view that the caller holds. */
export type HookContext = { systemPrompt: string; tools: ToolDefinition[]; messages: Message[] };

export type BeforeToolCall = {
  assistantMessage: AssistantMessage;
  toolCall: ToolCallPart;
  /** Validated arguments of the call. */
  args: Json;
  context: HookContext;
};
export type AfterToolCall = BeforeToolCall & { result: ToolResultMessage; isError: boolean };

export type TurnHookInput = {
  phase: 'before_complete' | 'after_complete';
  /** 0 in the first turn of the run. */
  iteration: number;
  context: HookContext;
  /** Usage of the run so far, over all purposes. */
  usage: Usage;
  agentName: string;
};

export type TurnEnd = {
  message: AssistantMessage;
  toolResults: ToolResultMessage[];
  context: HookContext;
  /** The messages that the run has appended so far, as in its result. */
  newMessages: MessageRange;
};

export type BeforeCondense = {
  context: HookContext;
  /** Number of the newest messages that the agent's strategy keeps; the others are folded. */
  keep: number;
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

/** The input at each point. */
export type HookInputs = {
  beforeToolCall: BeforeToolCall;
  afterToolCall: AfterToolCall;
  beforeComplete: TurnHookInput;
  afterComplete: TurnHookInput;
  afterResponse: TurnHookInput;
  prepareNextTurn: TurnEnd;
  shouldStopAfterTurn: TurnEnd;
  beforeCondense: BeforeCondense;
  runStart: RunStart;
  runEnd: RunEnding;
};
export type HookPoint = keyof HookInputs;
/** A point inside an activity of the loop, for the hooks of a user: it is no activity of its own. */
export type WorkerPoint = 'aroundModelCall';

/** `inject` is sent to the model as a user message. */
export type InjectedMessage = { inject?: string };

/** The output at each point; an empty output changes nothing. */
export type HookOutputs = {
  /** `block` keeps the call from running; the reason is the result's text. */
  beforeToolCall: { block?: boolean; reason?: string; terminate?: boolean };
  /** Absent and null keep the current value; content is replaced whole. */
  afterToolCall: {
    content?: string | UserContent[] | null;
    details?: Json;
    isError?: boolean | null;
    terminate?: boolean | null;
  };
  beforeComplete: InjectedMessage;
  afterComplete: InjectedMessage;
  afterResponse: InjectedMessage;
  /** Applies to the rest of the run; absent and null keep the current value. */
  prepareNextTurn: {
    context?: {
      systemPrompt?: string | null;
      messages?: Message[] | null;
      /** Names of registered tools. */
      tools?: string[] | null;
    } | null;
    /** Model as `<provider>:<model id>`. */
    model?: string | null;
    thinkingLevel?: ThinkingLevel | null;
  };
  shouldStopAfterTurn: { stop?: boolean };
  /**
   * `keep` is the number of the newest messages that stay; a result that would be the first takes its call along.
   * `summary` stands in place of the others, and no summariser is asked. The first hook that answers decides.
   */
  beforeCondense: { keep?: number; summary?: string };
  /** `answer` is the run's answer, and no model is asked. `fail` refuses the run with this text (cause guardrail). */
  runStart: { answer?: string; fail?: string };
  /**
   * For a completed run. `fail` fails it with this text (cause guardrail). `retry` sends its answer back with these
   * words, at most three times a run; after that, or without a turn or budget left, it fails the run. `answer` replaces
   * the answer in the result.
   */
  runEnd: { fail?: string; retry?: string; answer?: string };
};

/** The environment of a pure hook: its params, its own state in this run, and the log of the workflow. */
export type PureHookHost = {
  params: JsonObject;
  /** Undefined at the start of a run. */
  state: Json | undefined;
  setState(state: Json): void;
  /** Writes a line once, and not again in a replay. */
  log(message: string, attributes: JsonObject): void;
};

export type PureHookFunction<Point extends HookPoint> = (
  input: HookInputs[Point],
  host: PureHookHost,
) => HookOutputs[Point] | undefined;

/** The functions of a hook, by point. */
export type PureHookFunctions = { [Point in HookPoint]?: PureHookFunction<Point> };

/** A hook that runs in the workflow: deterministic, no I/O. A throw is its failure. */
export type PureHook = PureHookFunctions & {
  /** The fault of its params; undefined if there is none. */
  problem(params: JsonObject): string | undefined;
};

// Every exported type has a use: a page or an example names it, or users annotate with it. The nested ones are reached by
// their owner, as in `Report['claims'][number]`.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksIn } from '../docs/pages.ts';
import { projectRoot } from '../support/project-root.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Types that users write, by the reason. */
const annotated: Record<string, string[]> = {
  'a config, and the parts of it that are often in a module of their own': words(`
    HoldfastConfig AgentSpec PolicyRule ModelConfig ProviderConfig ToolsetSettings McpServerSettings S3Settings`),
  'a contract that users implement: tool, hook, provider, store': words(`
    RegisteredTool ToolDeclaration ToolContext ToolReturn ToolEffect Reconciled
    RegisteredHook HookDefinition HookCall HookPoint HookInputs HookOutputs AroundModelCall
    ModelHooks ProviderErrorFacts SecretSource NoteStore StoredArtifact CallFacts`),
  'data that passes through most functions of theirs': words(`
    UserMessage AssistantMessage ToolResultMessage CustomMessage LlmMessage LogRecord Json JsonObject JsonSchema`),
  'an argument of a function or a method': words(`
    ClientOptions EncryptionKeys LiveBus StartOptions ListOptions Alert SentAlerts PromptInput ImageFile
    SteerOptions Approval Decision SubscribeOptions Listener OutputPlace DeliverOptions NewSchedule
    ConfigInput WorkerInput ArtifactPlace
    InvestigateOptions InvestigateRequest OutputSchema SteerMessage FollowUpMessage Answer ApprovalAnswer QuestionAnswer
    AgentRun PlainAgent RunEffects PromptParts
    AgentTest ModelScript ScriptStep ScriptCall StepInput`),
  'a handle that a function of theirs takes': words(`
    HoldfastClient StartedSession SessionSender Alerts TaskBoard Schedule Subscription ArtifactReader StoredSession
    AgentSession Signals Updates Queries InvestigationHandle OpenAgent Config HoldfastWorker TestServer ScriptedModel`),
  'what a method returns': words(`
    RunResult SessionResult Outcome Snapshot MergedSnapshot InFlight RunningCall Liveness FailingTask SessionListing
    SessionStatus SessionTree WaitingList WaitingItem PendingApproval PendingQuestion QueuedText Receipt SentMessage Thoughts
    MissingRecords OutputLines Plan BoardTask ListedAlert ReceiverState UndeliveredMessage ScheduleState Checkpoint Parsed
    HistorySize RemovedHistories ImagePart MessagesPlan
    Investigation TestedRun`),
  'an event, as a listener takes it': words(`AgentEvent EventPage SessionEvent WatchItem Heard PartialReply`),
  'an error, or a code that a program tells apart': words(`
    ClientError ClientErrorCode RunError RunErrorCode ConfigError ModelFailureType`),
};

/** Types of the language, a parameter of a type, and the reply of a model to the loop, which a script's model gives. */
const others = new Set(['Promise', 'Uint8Array', 'AsyncGenerator', 'AsyncIterable', 'Output', 'ModelReply']);

const textOf = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
const reports = globSync('docs/reference/api/*.md', { cwd: projectRoot }).map(textOf).join('\n');
const exported = [...reports.matchAll(/^export (?:type|interface|declare class) (\w+)/gm)].map(
  ([, name]) => name ?? '',
);
const programs = globSync(['examples/**/*.ts', 'catalog/templates/**/*.ts'], {
  cwd: projectRoot,
  exclude: ['**/node_modules/**'],
}).map(textOf);
const code = [...programs, ...blocksIn('ts').map(({ text }) => text)].join('\n');
const isNamed = (type: string): boolean => new RegExp(`\\b${type}\\b`).test(code);

test('a page or an example names every exported type, or users annotate with it', () => {
  expect(exported.length).toBeGreaterThan(100);
  const listed = Object.values(annotated).flat();
  expect(exported.filter((type) => !isNamed(type) && !listed.includes(type))).toEqual([]);
  expect(listed.filter((type) => !exported.includes(type))).toEqual([]);
});

test('what a function or a method returns is exported: declarations of a user could not name it otherwise', () => {
  const blocks = reports
    .split(/^(?=export )/m)
    .filter((text) => /^export declare (?:function|class)/.test(text));
  const results = blocks.flatMap((text) =>
    [...text.matchAll(/\): ([^{};]*);$/gm)].map(([, result]) => result),
  );
  const types = new Set(results.flatMap((result) => result?.match(/\b[A-Z]\w+/g) ?? []));
  expect(types.size).toBeGreaterThan(30);
  expect([...types].filter((type) => !exported.includes(type) && !others.has(type))).toEqual([]);
});

// Checks the version and the fields of a state from another execution, a file or another session. Pure and without
// schemas, because the workflow runs it too.
import { agentDefaults } from '../model/agent-spec.ts';
import { stateVersion } from '../model/agent-state.ts';
import type { AgentState } from '../model/agent-state.ts';
import { firstProblem, isAmount, isCount, isList, isRecord, isText, listOf } from '../base/json.ts';
import type { Check, JsonRecord, Parsed } from '../base/json.ts';
import { legalMoves } from '../state/draft.ts';
import { strategies } from '../view/condense/strategies.ts';
import { viewReducers } from '../view/reducers/table.ts';

/** Refuses with State.Broken for a wrong field, and with State.UnknownVersion for a state of another version. */
export function parseState(raw: unknown): Parsed<AgentState> {
  if (!isRecord(raw)) return broken('the state is no object');
  const { version } = raw;
  if (!isCount(version)) return broken('version: expected a whole number');
  if (version !== stateVersion) {
    const reason = `the state has version ${version}: expected ${stateVersion}. Another Holdfast wrote it; use that one`;
    return { ok: false, code: 'State.UnknownVersion', reason };
  }
  const problem = problemOf(raw);
  return problem === undefined ? { ok: true, value: toState(raw) } : broken(problem);
}

function problemOf(state: JsonRecord): string | undefined {
  const { run, context } = state;
  const inRun = isRecord(run) ? firstProblem({ run }, runChecks) : undefined;
  const inContext = isRecord(context) ? firstProblem({ context }, contextChecks) : undefined;
  const optional = [run, context, state['lastResult']].every((part) => part === undefined || isRecord(part));
  return (
    firstProblem(state, stateChecks) ??
    firstProblem(state, viewChecks) ??
    inRun ??
    inContext ??
    (optional ? undefined : 'run, context, lastResult: expected objects')
  );
}

const isLogRecord = (value: unknown): boolean =>
  isRecord(value) && isCount(value['seq']) && isText(value['role']) && isText(value['runId']);
const isSegment = (value: unknown): boolean =>
  isRecord(value) && isText(value['artifactId']) && isText(value['sha256']) && isRange(value);
const isRange = ({ fromSeq, toSeq }: JsonRecord): boolean => isCount(fromSeq) && isCount(toSeq);
const isCall = (value: unknown): boolean =>
  isRecord(value) &&
  isRecord(value['call']) &&
  isText(value['call']['callId']) &&
  isText(value['call']['name']) &&
  isText(value['call']['arguments']) &&
  isRecord(value['prepared']) &&
  (value['answer'] === undefined || (isRecord(value['answer']) && isRecord(value['answer']['message'])));

const isChild = (value: unknown): boolean =>
  isRecord(value) &&
  ['id', 'name', 'agent', 'prefix', 'task', 'callId'].every((name) => isText(value[name])) &&
  isCount(value['index']) &&
  ['running', 'ended', 'left'].includes(String(value['state'])) &&
  isRecord(value['usage']) &&
  isAmount(value['costUsd']);
const isStep = (value: unknown): boolean =>
  isRecord(value) &&
  ['id', 'text', 'status', 'criterion'].every((field) => isText(value[field])) &&
  listOf(isText)(value['dependsOn']) &&
  (value['steps'] === undefined || listOf(isStep)(value['steps']));
const isPlan = (value: unknown): boolean =>
  isRecord(value) && listOf(isStep)(value['steps']) && isText(value['runId']);

const isCounts = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isCount);

const isCallIndex = (value: unknown): boolean =>
  isRecord(value) && isCount(value['leftOut']) && listOf(isIndexedCall)(value['calls']);
const isIndexedCall = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 5 && isCount(value[0]) && value.slice(1).every(isText);
const callIndexForm = '{calls, leftOut} with calls of [seq, callId, summary, key, artifactId]';

const stateChecks: readonly Check[] = [
  ['sessionId', isText, 'a text'],
  ['task', isText, 'a text'],
  ['status', (value) => isText(value) && Object.hasOwn(legalMoves, value), 'a state of a session'],
  ['log.nextSeq', (value) => isCount(value) && value > 0, 'a whole number above 0'],
  ['log.records', listOf(isLogRecord), 'a list of log records'],
  ['log.segments', listOf(isSegment), 'a list of {artifactId, fromSeq, toSeq, sha256}'],
  ...['epoch', 'fromSeq', 'sentSeq', 'condensedAtSeq'].map((name): Check => [
    `view.${name}`,
    isCount,
    'a whole number',
  ]),
  ['runs', isCount, 'a whole number'],
  ['usage', isRecord, 'an object'],
  ['costUsd', isAmount, 'a number'],
  ['toolCalls', isCount, 'a whole number'],
  ['findings', (value) => value === undefined || listOf(isFinding)(value), 'a list of {id, text, callId}'],
  [
    'children',
    (value) => value === undefined || listOf(isChild)(value),
    'a list of {id, name, agent, callId, index, state}',
  ],
  ['childIds', optional(isCounts), 'counts by name'],
  ['begunOnce', optional(isCounts), 'counts by call'],
  ['calls', optional(isCallIndex), callIndexForm],
  ['childToolCalls', (value) => value === undefined || isCount(value), 'a whole number'],
  ['flushedSeq', (value) => value === undefined || isCount(value), 'a whole number'],
  ['plan', (value) => value === undefined || isPlan(value), 'an object {steps, runId}'],
  ['loadedGroups', (value) => value === undefined || listOf(isText)(value), 'a list of texts'],
  ['loadedSkills', (value) => value === undefined || listOf(isText)(value), 'a list of texts'],
];

const isJudged = (value: unknown): boolean =>
  isRecord(value) && isCount(value['seq']) && listOf(isText)(value['faults']);

const runChecks: readonly Check[] = [
  ['run.runId', isText, 'a text'],
  ['run.task', isText, 'a text'],
  ['run.cursor', (value) => ['boundary', 'ready', 'answered'].includes(String(value)), 'a place in a turn'],
  ...['startedAt', 'firstSeq', 'turn', 'responses', 'toolCalls', 'condenses', 'warnedRepeats'].map(
    (name): Check => [`run.${name}`, isCount, 'a whole number'],
  ),
  ['run.pending', listOf(isRecord), 'a list of messages'],
  ['run.batch', listOf(isCall), 'a list of calls'],
  ['run.usage', isRecord, 'an object'],
  ['run.costUsd', isAmount, 'a number'],
  ['run.loop', isList, 'a list'],
  ['run.trail', (value) => value === undefined || listOf(isText)(value), 'a list of texts'],
  ['run.denied', listOf(isText), 'a list of texts'],
  ['run.settings', isRecord, 'an object'],
  ['run.output', optional(isJudged), 'an object {seq, faults}'],
];

const isHost = (value: unknown): boolean =>
  isRecord(value) && isText(value['name']) && isText(value['taskQueue']) && listOf(isText)(value['tools']);

const isSkill = (value: unknown): boolean =>
  isRecord(value) && isText(value['name']) && isText(value['sha256']) && isText(value['source']);

const contextChecks: readonly Check[] = [
  ['context.digest', isText, 'a text'],
  ['context.agent', isText, 'a text'],
  ['context.systemPrompt', isText, 'a text'],
  ['context.model.provider', isText, 'a text'],
  ['context.model.id', isText, 'a text'],
  ['context.tools', listOf((tool) => isRecord(tool) && isText(tool['name'])), 'a list of tools'],
  ['context.settings', isRecord, 'an object'],
  [
    'context.hosts',
    (value) => value === undefined || listOf(isHost)(value),
    'a list of {name, taskQueue, tools}',
  ],
  [
    'context.skills',
    (value) => value === undefined || listOf(isSkill)(value),
    'a list of {name, sha256, source}',
  ],
  ...optionChecks('context.settings', agentDefaults),
];

/** A value of each option with a default must be of the default's kind. */
function optionChecks(place: string, defaults: object): Check[] {
  return Object.entries(defaults).flatMap(([name, value]: [string, unknown]): Check[] => [
    [`${place}.${name}`, (given) => isOfKind(given, value), `a value like ${JSON.stringify(value)}`],
    ...(isRecord(value) ? optionChecks(`${place}.${name}`, value) : []),
  ]);
}

function isOfKind(given: unknown, value: unknown): boolean {
  return isRecord(value) ? isRecord(given) : typeof given === typeof value;
}

function broken(reason: string): { ok: false; code: string; reason: string } {
  return { ok: false, code: 'State.Broken', reason };
}

/** The one place where a checked state gets its type. */
function toState(raw: JsonRecord): AgentState {
  return raw as unknown as AgentState;
}

const isFinding = (value: unknown): boolean =>
  isRecord(value) && isText(value['id']) && isText(value['text']) && isText(value['callId']);

const isStrategy = (value: unknown): boolean => isText(value) && Object.hasOwn(strategies, value);
const isReducer = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value['name']) &&
  Object.hasOwn(viewReducers, value['name']) &&
  (value['params'] === undefined || isRecord(value['params']));
const isFit = (value: JsonRecord): boolean => {
  const { name, params } = value;
  return (
    name === 'fit_window' &&
    isRecord(params) &&
    isCount(params['results']) &&
    optional(isCount)(params['messages'])
  );
};
const isReduction = (value: unknown): boolean =>
  isRecord(value) &&
  (isFit(value) || (isReducer(value) && isRecord(value['params']))) &&
  isCount(value['throughSeq']);
const isArchived = (value: unknown): boolean =>
  Array.isArray(value) &&
  isCount(value[0]) &&
  ['u', 'a', 'r', 'x'].includes(String(value[1])) &&
  isAmount(value[2]);
const isFiles = (value: unknown): boolean =>
  isRecord(value) && listOf(isText)(value['read']) && listOf(isText)(value['modified']);

function optional(holds: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || holds(value);
}

const strategyNames = `one of ${Object.keys(strategies).join(', ')}`;
const reducerNames = Object.keys(viewReducers).join(', ');

const viewChecks: readonly Check[] = [
  ['log.archived', optional(listOf(isArchived)), 'a list of [seq, role, tokens]'],
  ['view.summary', optional(isText), 'a text'],
  ['view.task', optional(isText), 'a text'],
  ['view.strategy', optional(isStrategy), strategyNames],
  ['view.plan', optional(isText), 'a text'],
  ['view.calls', optional(isCallIndex), callIndexForm],
  ['view.findings', optional(listOf(isFinding)), 'a list of {id, text, callId}'],
  [
    'view.reductions',
    optional(listOf(isReduction)),
    `a list of {name, params, throughSeq} of ${reducerNames}`,
  ],
  ['view.files', optional(isFiles), '{read, modified}: lists of texts'],
  ['context.settings.condense.strategy', optional(isStrategy), strategyNames],
  [
    'context.settings.condense.reducers',
    optional(listOf(isReducer)),
    `a list of {name, params} of ${reducerNames}`,
  ],
];

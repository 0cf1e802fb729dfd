// Checks the version and the fields of a state from another execution, a file or another session. Pure and without
// schemas, because the workflow runs it too.
import { agentDefaults } from '@holdfast/vocabulary/agent-spec';
import { type AgentState, stateVersion } from '@holdfast/vocabulary/agent-state';
import { firstProblem, isAmount, isCount, isList, isRecord, isText, listOf } from '@holdfast/base/json';
import { objectOf, oneOf, optional, refuse } from '@holdfast/base/json';
import type { FieldCheck, Holds, JsonRecord, Parsed, Refused } from '@holdfast/base/json';
import { legalMoves } from '../state/draft.ts';
import { strategies } from '@holdfast/view/condense/strategies';
import { viewReducers } from '@holdfast/view/reducers/table';

/** Refuses with State.Broken for a wrong field, and with State.UnknownVersion for a state of another version. */
export function parseState(raw: unknown): Parsed<AgentState> {
  if (!isRecord(raw)) return broken('the state is no object');
  const { version } = raw;
  if (!isCount(version)) return broken('version: expected a whole number');
  if (version !== stateVersion) {
    const reason = `the state has version ${version}: expected ${stateVersion}. Another Holdfast wrote it; use that one`;
    return refuse('State.UnknownVersion', reason);
  }
  const problem = problemOf(raw);
  return problem === undefined ? { ok: true, value: raw as unknown as AgentState } : broken(problem);
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

const isLogRecord = objectOf({ seq: isCount, role: isText, runId: isText });
const isSegment = objectOf({ artifactId: isText, sha256: isText, fromSeq: isCount, toSeq: isCount });
const isCall = objectOf({
  call: objectOf({ callId: isText, name: isText, arguments: isText }),
  prepared: isRecord,
  answer: optional(objectOf({ message: isRecord })),
});
// oxfmt-ignore
const isChild = objectOf({
  id: isText, name: isText, agent: isText, prefix: isText, task: isText, callId: isText, index: isCount,
  state: oneOf('running', 'ended', 'left'), usage: isRecord, costUsd: isAmount,
});
const isStep: Holds = objectOf({
  id: isText,
  text: isText,
  status: isText,
  criterion: isText,
  dependsOn: listOf(isText),
  steps: optional((value) => listOf(isStep)(value)),
});
const isPlan = objectOf({ steps: listOf(isStep), runId: isText });
const isTest = objectOf({ callId: isText, quote: isText });
// oxfmt-ignore
const isPrediction = objectOf({
  id: isText, call: isText, expect: isText, seq: isCount, at: isCount, tests: listOf(isTest),
});
// oxfmt-ignore
const isHypothesis = objectOf({
  id: isText, statement: isText, component: isText, kind: isText, seq: isCount, predictions: listOf(isPrediction),
});
const isFinding = objectOf({ id: isText, text: isText, callId: isText });

const isCounts = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isCount);

const isIndexedCall = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 5 && isCount(value[0]) && value.slice(1).every(isText);
const isCallIndex = objectOf({ leftOut: isCount, calls: listOf(isIndexedCall) });
const isSaid = (value: unknown): boolean => Array.isArray(value) && isCount(value[0]) && isText(value[1]);
const callIndexForm = '{calls, leftOut} with calls of [seq, callId, summary, key, artifactId]';

/** The same check for several fields. */
function each(names: readonly string[], holds: Holds, expected: string): FieldCheck[] {
  return names.map((name) => [name, holds, expected]);
}

const stateChecks: readonly FieldCheck[] = [
  ['sessionId', isText, 'a text'],
  ['storedAs', optional(isText), 'a text'],
  ['task', isText, 'a text'],
  ['status', (value) => isText(value) && Object.hasOwn(legalMoves, value), 'a state of a session'],
  ['log.nextSeq', (value) => isCount(value) && value > 0, 'a whole number above 0'],
  ['log.records', listOf(isLogRecord), 'a list of log records'],
  ['log.segments', listOf(isSegment), 'a list of {artifactId, fromSeq, toSeq, sha256}'],
  ...each(['view.epoch', 'view.fromSeq', 'view.sentSeq', 'view.condensedAtSeq'], isCount, 'a whole number'),
  ['runs', isCount, 'a whole number'],
  ['usage', isRecord, 'an object'],
  ['costUsd', isAmount, 'a number'],
  ['toolCalls', isCount, 'a whole number'],
  ['findings', optional(listOf(isFinding)), 'a list of {id, text, callId}'],
  ['children', optional(listOf(isChild)), 'a list of {id, name, agent, callId, index, state}'],
  ['childIds', optional(isCounts), 'counts by name'],
  ['begunOnce', optional(isCounts), 'counts by call'],
  ['calls', optional(isCallIndex), callIndexForm],
  ['takenBack', optional(listOf(isFinding)), 'a list of {id, text, callId, by}'],
  ['said', optional(listOf(isSaid)), 'a list of [seq, words]'],
  ...each(['toldAt', 'childToolCalls', 'flushedSeq', 'clearedSeq'], optional(isCount), 'a whole number'),
  ['plan', optional(isPlan), 'an object {steps, runId}'],
  [
    'hypotheses',
    optional(listOf(isHypothesis)),
    'a list of {id, statement, component, kind, seq, predictions}',
  ],
  ...each(['loadedGroups', 'loadedSkills'], optional(listOf(isText)), 'a list of texts'),
];

const isJudged = objectOf({ seq: isCount, faults: listOf(isText) });

const runChecks: readonly FieldCheck[] = [
  ...each(['run.runId', 'run.task'], isText, 'a text'),
  ['run.cursor', oneOf('boundary', 'ready', 'answered'), 'a place in a turn'],
  ...['startedAt', 'firstSeq', 'turn', 'responses', 'toolCalls', 'condenses', 'warnedRepeats'].map(
    (name): FieldCheck => [`run.${name}`, isCount, 'a whole number'],
  ),
  ['run.failedCondenses', optional(isCount), 'a whole number'],
  ['run.pending', listOf(isRecord), 'a list of messages'],
  ['run.batch', listOf(isCall), 'a list of calls'],
  ['run.usage', isRecord, 'an object'],
  ['run.costUsd', isAmount, 'a number'],
  ['run.loop', isList, 'a list'],
  ['run.trail', optional(listOf(isText)), 'a list of texts'],
  ['run.denied', listOf(objectOf({ key: isText, why: optional(isText) })), 'a list of {key, why}'],
  ['run.settings', isRecord, 'an object'],
  ['run.output', optional(isJudged), 'an object {seq, faults}'],
];

const isHost = objectOf({ name: isText, taskQueue: isText, tools: listOf(isText) });
const isSkill = objectOf({ name: isText, sha256: isText, source: isText });

const contextChecks: readonly FieldCheck[] = [
  ...each(['context.digest', 'context.agent', 'context.systemPrompt'], isText, 'a text'),
  ...each(['context.model.provider', 'context.model.id'], isText, 'a text'),
  ['context.tools', listOf(objectOf({ name: isText })), 'a list of tools'],
  ['context.settings', isRecord, 'an object'],
  ['context.hosts', optional(listOf(isHost)), 'a list of {name, taskQueue, tools}'],
  ['context.skills', optional(listOf(isSkill)), 'a list of {name, sha256, source}'],
  ...optionChecks('context.settings', agentDefaults),
];

/** A value of each option with a default must be of the default's kind. */
function optionChecks(place: string, defaults: object): FieldCheck[] {
  return Object.entries(defaults).flatMap(([name, value]: [string, unknown]): FieldCheck[] => [
    [`${place}.${name}`, (given) => isOfKind(given, value), `a value like ${JSON.stringify(value)}`],
    ...(isRecord(value) ? optionChecks(`${place}.${name}`, value) : []),
  ]);
}

function isOfKind(given: unknown, value: unknown): boolean {
  return isRecord(value) ? isRecord(given) : typeof given === typeof value;
}

function broken(reason: string): Refused {
  return refuse('State.Broken', reason);
}

const isStrategy = (value: unknown): boolean => isText(value) && Object.hasOwn(strategies, value);
const isReducer = objectOf({
  name: (value) => isText(value) && Object.hasOwn(viewReducers, value),
  params: optional(isRecord),
});
const isFit = objectOf({
  name: oneOf('fit_window'),
  params: objectOf({ results: isCount, messages: optional(isCount) }),
});
const isReduction = (value: unknown): boolean =>
  objectOf({ params: isRecord, throughSeq: isCount })(value) && (isFit(value) || isReducer(value));
const isArchived = (value: unknown): boolean =>
  Array.isArray(value) && isCount(value[0]) && oneOf('u', 'a', 'r', 'x')(value[1]) && isAmount(value[2]);
const isFiles = objectOf({ read: listOf(isText), modified: listOf(isText) });

const strategyNames = `one of ${Object.keys(strategies).join(', ')}`;
const reducerNames = Object.keys(viewReducers).join(', ');

const viewChecks: readonly FieldCheck[] = [
  ['log.archived', optional(listOf(isArchived)), 'a list of [seq, role, tokens]'],
  ...each(['view.summary', 'view.task'], optional(isText), 'a text'),
  ['view.strategy', optional(isStrategy), strategyNames],
  ...each(['view.plan', 'view.hypotheses'], optional(isText), 'a text'),
  ['view.calls', optional(isCallIndex), callIndexForm],
  ...each(['view.said', 'view.place'], optional(isText), 'a text'),
  ['view.findings', optional(listOf(isFinding)), 'a list of {id, text, callId}'],
  [
    'view.reductions',
    optional(listOf(isReduction)),
    `a list of {name, params, throughSeq} of ${reducerNames}`,
  ],
  ['view.skills', optional(listOf(isText)), 'a list of texts'],
  ['view.files', optional(isFiles), '{read, modified}: lists of texts'],
  ['context.settings.condense.strategy', optional(isStrategy), strategyNames],
  [
    'context.settings.condense.reducers',
    optional(listOf(isReducer)),
    `a list of {name, params} of ${reducerNames}`,
  ],
];

// What a state from outside says of its view, and of how to condense it: names that the loop would look up in a table.
// Pure and without schemas, because the workflow asks it too.
import { strategies } from './condense/strategies.ts';
import { isAmount, isCount, isRecord, isText, listOf } from '../base/guards.ts';
import type { Check } from '../base/guards.ts';
import { viewReducers } from './reducers/table.ts';

export const isFinding = (value: unknown): boolean =>
  isRecord(value) && isText(value['id']) && isText(value['text']) && isText(value['callId']);

const isStrategy = (value: unknown): boolean => isText(value) && Object.hasOwn(strategies, value);
const isReducer = (value: unknown): boolean =>
  isRecord(value) &&
  isText(value['name']) &&
  Object.hasOwn(viewReducers, value['name']) &&
  (value['params'] === undefined || isRecord(value['params']));
const isReduction = (value: unknown): boolean =>
  isReducer(value) && isRecord(value) && isRecord(value['params']) && isCount(value['throughSeq']);
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

export const viewChecks: readonly Check[] = [
  ['log.archived', optional(listOf(isArchived)), 'a list of [seq, role, tokens]'],
  ['view.summary', optional(isText), 'a text'],
  ['view.task', optional(isText), 'a text'],
  ['view.strategy', optional(isStrategy), strategyNames],
  ['view.findings', optional(listOf(isFinding)), 'a list of {id, text, callId}'],
  [
    'view.reductions',
    optional(listOf(isReduction)),
    `a list of {name, params, throughSeq} of ${reducerNames}`,
  ],
  ['view.files', optional(isFiles), '{read, modified}: lists of texts'],
  ['context.settings.condense.strategy', optional(isStrategy), strategyNames],
  [
    'context.settings.viewReducers',
    optional(listOf(isReducer)),
    `a list of {name, params} of ${reducerNames}`,
  ],
];

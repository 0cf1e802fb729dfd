// Definitions of every signal, update and query of a session by wire name, for the workflow and its clients in TypeScript.
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import {
  type AnswerOf,
  type ArgsOf,
  type SessionQueries,
  type SessionSignals,
  type SessionUpdates,
  queryNames,
  signalNames,
  updateNames,
} from '@holdfast/vocabulary/session-operations';

/** The workflow type under which any caller starts a session. */
export const agentSessionType = 'agentSession';

export type Signals = { [Name in keyof SessionSignals]: SignalDefinition<SessionSignals[Name], Name> };
export type Updates = {
  [Name in keyof SessionUpdates]: UpdateDefinition<AnswerOf<Name>, ArgsOf<Name>, Name>;
};
export type Queries = {
  [Name in keyof SessionQueries]: QueryDefinition<AnswerOf<Name>, ArgsOf<Name>, Name>;
};

function byName<Name extends string>(names: readonly Name[], define: (name: Name) => unknown) {
  return Object.fromEntries(names.map((name) => [name, define(name)])) as Record<Name, never>;
}

export const signals: Signals = byName(signalNames, defineSignal);
export const updates: Updates = byName(updateNames, defineUpdate);
export const queries: Queries = byName(queryNames, defineQuery);

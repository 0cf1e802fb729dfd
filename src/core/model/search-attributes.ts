// The search attributes that a session shows in the Temporal UI, with their Temporal types. Pure data: the server
// registers them, the worker may, the workflow upserts only those that were found registered.

export const searchAttributeTypes = {
  AgentStatus: 'Keyword',
  AgentName: 'Keyword',
  Model: 'Keyword',
  WaitingFor: 'Keyword',
  Turns: 'Int',
  CostUsd: 'Double',
  /** How the last run ended: core/model/outcome.ts. Absent before the end of the first one. */
  Outcome: 'Keyword',
} as const;

export type SearchAttributeName = keyof typeof searchAttributeTypes;

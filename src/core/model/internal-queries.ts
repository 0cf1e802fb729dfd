// Wire names of the queries that workers and clients ask for their own work. Lists of names, such as the Temporal UI's,
// have them at their end.
export const internalQueries = {
  getCheckpointPage: 'x-internal-getCheckpointPage',
  getView: 'x-internal-getView',
  getFrozenContext: 'x-internal-getFrozenContext',
} as const;

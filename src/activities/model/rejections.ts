// The words in which a call is refused for its form, before any gate is asked. Shared by preparation, which writes
// them, and by the report's gaps, which are about the world and leave them out.

export const invalidArgumentsPrefix = 'Invalid arguments for ';

export const cutOffText =
  'Not executed: the reply reached its length limit, so the arguments of this call may be cut off. Issue the call again.';

export const rejectionPrefixes: readonly string[] = [invalidArgumentsPrefix, cutOffText];

// The tools with which an agent keeps its own records (report, plan, hypotheses, findings). Their calls yield no evidence about the
// world. Pure.

export const ownBooks: ReadonlySet<string> = new Set([
  'report',
  'task_complete',
  'update_plan',
  'hypotheses',
  'pin_finding',
]);

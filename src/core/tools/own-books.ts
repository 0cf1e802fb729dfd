// The tools with which an agent keeps its own books: their calls find nothing out, and say nothing of the world. Pure.

export const ownBooks: ReadonlySet<string> = new Set([
  'report',
  'task_complete',
  'update_plan',
  'pin_finding',
]);

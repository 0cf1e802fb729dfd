// A plan as data: what the agent intends to do, step by step, and how far it is. Part of the session's state.

export const stepStatuses = ['pending', 'in_progress', 'done', 'failed'] as const;
export type StepStatus = (typeof stepStatuses)[number];

export type PlanStep = {
  /** Its number: `2`, and `2.1` of a sub-step. */
  id: string;
  /** What is to be done. */
  text: string;
  /** Of a step with sub-steps: what these come to. */
  status: StepStatus;
  /** How one sees that it is done. */
  criterion: string;
  /** Ids of earlier steps that must be done before it. */
  dependsOn: string[];
  /** It checks what the others came to; a plan has at least one. */
  verify?: true;
  /** What came of it. */
  note?: string;
  /** Sub-steps, one level deep. */
  steps?: PlanStep[];
};

/** One of the plans that were made to choose from. */
export type PlanOption = {
  /** Texts of its steps. */
  steps: string[];
  /** How good it was judged to be. */
  score: number;
  /** Why. */
  reason: string;
};

export type Plan = {
  /** In their order. */
  steps: PlanStep[];
  /** The run that answers for it: the one that set or marked it last, or that continues its work. */
  runId: string;
  /** Of tree_of_thoughts: what was made. */
  options?: PlanOption[];
  /** Of tree_of_thoughts: the index of the one that became the plan. */
  chosen?: number;
};

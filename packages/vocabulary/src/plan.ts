// A plan as data: the agent's steps and their progress. Part of the session's state.

export const stepStatuses = ['pending', 'in_progress', 'done', 'failed'] as const;
export type StepStatus = (typeof stepStatuses)[number];

export type PlanStep = {
  /** Number of the step: `2`, and `2.1` for a sub-step. */
  id: string;
  /** The work of the step. */
  text: string;
  /** Status of the step; with sub-steps it follows from theirs. */
  status: StepStatus;
  /** Sign that the step is done. */
  criterion: string;
  /** Ids of earlier steps that must be done before it. */
  dependsOn: string[];
  /** The step checks the results of the others; a plan has at least one such step. */
  verify?: true;
  /** Note on the result. */
  note?: string;
  /** Sub-steps, one level deep. */
  steps?: PlanStep[];
};

/** One of the plans to choose from. */
export type PlanOption = {
  /** Texts of the steps. */
  steps: string[];
  /** Score of the plan. */
  score: number;
  /** Reason for the score. */
  reason: string;
};

export type Plan = {
  /** Steps in their order. */
  steps: PlanStep[];
  /** Id of the responsible run: the one that set or marked the plan last, or that continues its work. */
  runId: string;
  /** All plans made by tree_of_thoughts. */
  options?: PlanOption[];
  /** Index of the chosen plan in `options`, for tree_of_thoughts. */
  chosen?: number;
};
